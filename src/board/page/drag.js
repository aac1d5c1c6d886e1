// A piece of a board or of a hand that the pointer holds: it is dragged as soon as the pointer moves.

/** A pointer that moves so many pixels drags. */
const THRESHOLD = 5;

export class Drag {
  /** `source` is where the piece comes from; `was` says that it had been chosen before. */
  constructor(board, event, source, piece, was) {
    event.preventDefault();
    Object.assign(this, { board, source, piece, was, pointer: event.pointerId, dragging: false, frame: 0, over: null });
    this.start = this.point = [event.clientX, event.clientY];
    this.own = source.square && board.pieces.get(source.square)?.element;
    this.size = board.grid.getBoundingClientRect().width / board.description.files;
    const act = (own) => (next) => next.pointerId === this.pointer && own(next);
    const [move, end] = [act((next) => this.move(next)), act((next) => this.end(next))];
    this.listeners = [["pointermove", move], ["pointerup", end], ["pointercancel", end]];
    for (const [name, listener] of this.listeners) window.addEventListener(name, listener);
  }

  move(event) {
    const { board, start, size } = this;
    this.point = [event.clientX, event.clientY];
    const [x, y] = this.point;
    if (!this.dragging && Math.hypot(x - start[0], y - start[1]) > THRESHOLD) {
      this.dragging = true;
      board.paint(board.ghost, this.piece);
      board.ghost.style.width = board.ghost.style.height = `${size}px`;
      board.ghost.hidden = false;
      this.own?.classList.add("lifted");
    }
    // The pointer moves more often than the screen shows.
    if (this.dragging && !this.frame) this.frame = requestAnimationFrame(() => this.draw());
  }

  draw() {
    const { board, size, point: [x, y] } = this;
    this.frame = 0;
    board.ghost.style.transform = `translate(${x - size / 2}px, ${y - size / 2}px)`;
    const square = board.squareUnder(x, y);
    if (square === this.over) return;
    board.cells.get(this.over)?.classList.remove("over");
    this.over = square;
    if (board.targets.has(square)) board.cells.get(square).classList.add("over");
  }

  end(event) {
    const { board, own } = this;
    for (const [name, listener] of this.listeners) window.removeEventListener(name, listener);
    cancelAnimationFrame(this.frame);
    board.cells.get(this.over)?.classList.remove("over");
    board.ghost.hidden = true;
    own?.classList.remove("lifted");
    if (event.type !== "pointerup") board.release(false);
    else if (this.dragging) this.drop(board.squareUnder(event.clientX, event.clientY));
    else if (this.was) board.release();
  }

  drop(square) {
    const { board, own } = this;
    const moves = board.targets.get(square);
    if (!moves) {
      board.release(false);
      if (!square) board.options.onDropOutside?.(this.source);
      return;
    }
    // It stands there already: it must not glide there a second time.
    if (own) {
      own.classList.add("still");
      board.put(own, square);
    }
    board.finish(moves);
  }
}
