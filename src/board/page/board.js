// The board: squares, pieces, marks, arrows; drag, click and keyboard. It shows what it is given and reports what is
// chosen; which moves there are it is asked for (`movesFrom`), and what becomes of one is the caller's affair (`onMove`).

import { Arrows } from "./arrows.js";
import { Drag } from "./drag.js";
import { texts } from "./texts.js";

function element(name, className, parent) {
  const made = document.createElement(name);
  if (className) made.className = className;
  parent?.append(made);
  return made;
}

/** The square that is clicked first after the origin of a move. */
const firstTarget = ({ via, to }) => via ?? to;

export class Board {
  /**
   * @param place the element that the board fills
   * @param options movesFrom(source) → moves of a piece on a square (`{square}`) or in hand (`{drop}`);
   *   onMove(moves) is called with the moves between a source and a target; onSquare(square) when a square is clicked that is no target;
   *   nameOf(piece) → what a piece is called; pictureOf(piece) → the address of its picture; say(text) → announces;
   *   onDropOutside(source) when a piece is dragged off the board.
   */
  constructor(place, options) {
    Object.assign(this, { place, options, pieces: new Map(), cells: new Map(), chosen: null, targets: new Map() });
    place.classList.add("board");
    this.grid = element("div", "squares", place);
    this.grid.setAttribute("role", "grid");
    this.layer = element("div", "pieces", place);
    this.layer.setAttribute("aria-hidden", "true");
    this.drawing = new Arrows(place);
    this.ghost = element("div", "ghost piece", document.body);
    this.ghost.hidden = true;
    this.ghost.setAttribute("aria-hidden", "true");
    this.grid.addEventListener("pointerdown", (event) => this.pressed(event));
    this.grid.addEventListener("keydown", (event) => this.key(event));
    this.grid.addEventListener("focusin", (event) => this.focused(event));
  }

  /** Shows a game's board: files, ranks, holes, regions. */
  setGame(description, flipped) {
    Object.assign(this, { description, flipped });
    this.grid.replaceChildren();
    this.cells.clear();
    this.clearPieces();
    this.grid.setAttribute("aria-label", texts.board);
    const { files, ranks } = description;
    this.place.style.setProperty("--files", files);
    this.place.style.setProperty("--ranks", ranks);
    this.drawing.resize(description);
    const holes = new Set(description.holes);
    const promotion = description.promotion.map((zone) => new Set(zone));
    for (let row = 0; row < ranks; row++) {
      const line = element("div", "row", this.grid);
      line.setAttribute("role", "row");
      for (let column = 0; column < files; column++) {
        const square = this.squareAt(column, row);
        const cell = element("div", "square", line);
        cell.setAttribute("role", "gridcell");
        cell.dataset.square = square;
        cell.tabIndex = -1;
        const [file, rank] = this.fileAndRank(square);
        cell.classList.toggle("dark", (file + rank) % 2 === 0);
        cell.classList.toggle("hole", holes.has(square));
        if (column === 0) element("span", "rank", cell).textContent = rank + 1;
        if (row === ranks - 1) element("span", "file", cell).textContent = square[0];
        this.cells.set(square, cell);
      }
    }
    this.edges(description.regions.map((region) => new Set(region)), "region");
    for (const zone of promotion) if (zone.size < files * ranks) this.edges([zone], "zone");
    this.focus = this.squareAt(files >> 1, ranks - 1);
    this.cells.get(this.focus).tabIndex = 0;
  }

  /** Marks the borders of sets of squares. */
  edges(sets, name) {
    for (const set of sets) {
      for (const square of set) {
        const [column, row] = this.columnAndRow(square);
        const beside = { top: [0, -1], right: [1, 0], bottom: [0, 1], left: [-1, 0] };
        for (const [side, [dx, dy]] of Object.entries(beside)) {
          const { files, ranks } = this.description;
          const [x, y] = [column + dx, row + dy];
          const inside = x >= 0 && y >= 0 && x < files && y < ranks;
          if (inside && !set.has(this.squareAt(x, y))) this.cells.get(square).classList.add(`${name}-${side}`);
        }
      }
    }
  }

  fileAndRank(square) {
    return [square.charCodeAt(0) - 97, Number(square.slice(1)) - 1];
  }

  columnAndRow(square) {
    const [file, rank] = this.fileAndRank(square);
    const { files, ranks } = this.description;
    return this.flipped ? [files - 1 - file, rank] : [file, ranks - 1 - rank];
  }

  squareAt(column, row) {
    const { files, ranks } = this.description;
    const [file, rank] = this.flipped ? [files - 1 - column, row] : [column, ranks - 1 - row];
    return String.fromCharCode(97 + file) + (rank + 1);
  }

  /** Shows pieces, marks and arrows. `move` is the ply that led here, for a piece that changes as it moves. */
  show({ pieces, stones = [], last = [], check = [], move = null, still = false }) {
    this.release(false);
    const wanted = new Map(pieces.map(({ square, piece }) => [square, piece]));
    const spare = new Map();
    for (const [square, own] of this.pieces) {
      if (wanted.get(square) !== own.piece) {
        spare.set(square, own);
        this.pieces.delete(square);
      }
    }
    for (const [square, piece] of wanted) {
      if (this.pieces.has(square)) continue;
      const from = this.origin(spare, square, piece, move);
      const own = from ? spare.get(from) : { element: element("div", "piece", this.layer) };
      if (from) spare.delete(from);
      if (own.piece !== piece) this.paint(own.element, piece);
      own.piece = piece;
      own.element.classList.toggle("still", still || !from || from === square);
      this.pieces.set(square, own);
      this.put(own.element, square);
    }
    for (const own of spare.values()) own.element.remove();
    this.stones = new Set(stones);
    this.lastMarks = new Set(last);
    this.checkMarks = new Set(check);
    this.mark();
    this.describe();
  }

  /** The square from which a piece comes that is new on a square. */
  origin(spare, square, piece, move) {
    if (move?.from && move.to === square && spare.has(move.from)) return move.from;
    const same = [...spare].filter(([, own]) => own.piece === piece);
    return same.length === 1 ? same[0][0] : undefined;
  }

  paint(target, piece) {
    target.style.backgroundImage = `url("${this.options.pictureOf(piece)}")`;
    target.dataset.piece = piece;
  }

  put(target, square) {
    const [column, row] = this.columnAndRow(square);
    target.style.transform = `translate(${column * 100}%, ${row * 100}%)`;
  }

  clearPieces() {
    this.pieces.clear();
    this.layer.replaceChildren();
    this.arrows([]);
  }

  /** Paints all pieces anew, after a change of style. */
  repaint() {
    for (const own of this.pieces.values()) this.paint(own.element, own.piece);
  }

  mark() {
    for (const [square, cell] of this.cells) {
      const target = this.targets.get(square);
      cell.classList.toggle("stone", this.stones?.has(square) ?? false);
      cell.classList.toggle("last", this.lastMarks?.has(square) ?? false);
      cell.classList.toggle("check", this.checkMarks?.has(square) ?? false);
      cell.classList.toggle("chosen", this.chosen?.square === square);
      cell.classList.toggle("target", Boolean(target));
      cell.classList.toggle("capture", Boolean(target?.some((move) => move.captures)));
    }
  }

  /** Marks squares at which something is wrong. */
  markFaults(squares) {
    for (const [square, cell] of this.cells) cell.classList.toggle("fault", squares.has(square));
  }

  /** Lets something be seen on a square for a moment. */
  flash(square, name) {
    const cell = this.cells.get(square);
    if (!cell) return;
    cell.classList.remove(name);
    void cell.offsetWidth;
    cell.classList.add(name);
  }

  /** What a square is called, with what stands on it and what may be done there. */
  nameOfSquare(square) {
    const piece = this.pieces.get(square)?.piece;
    const target = this.targets.get(square);
    const vacant = this.stones?.has(square) ? texts.stone : texts.empty;
    const words = [texts.square(square, piece ? this.options.nameOf(piece) : vacant)];
    if (this.chosen?.square === square) words.push(texts.marks.chosen);
    if (target) words.push(target.some((move) => move.captures) ? texts.marks.capture : texts.marks.target);
    if (this.checkMarks?.has(square)) words.push(texts.marks.check);
    if (this.lastMarks?.has(square)) words.push(texts.marks.last);
    return words.join(", ");
  }

  describe() {
    for (const [square, cell] of this.cells) cell.setAttribute("aria-label", this.nameOfSquare(square));
  }

  /** Chooses a piece on a square or in hand, and shows where it may go. */
  choose(source) {
    const moves = this.options.movesFrom(source);
    if (!moves.length) return false;
    this.putBack();
    this.chosen = source;
    this.targets = new Map();
    for (const move of moves) {
      const target = firstTarget(move);
      if (!this.targets.has(target)) this.targets.set(target, []);
      this.targets.get(target).push(move);
    }
    this.mark();
    this.describe();
    this.options.onChoose?.(source);
    const piece = source.square ? this.pieces.get(source.square)?.piece : source.piece;
    if (piece) this.options.say?.(texts.chosen(this.options.nameOf(piece), this.targets.size));
    return true;
  }

  release(loud = true) {
    if (!this.chosen) return;
    this.putBack();
    this.chosen = null;
    this.targets = new Map();
    this.mark();
    this.describe();
    this.options.onChoose?.(null);
    if (loud) this.options.say?.(texts.released);
  }

  /** Lets the second target be chosen of one of these moves, whose first is the same: the square of a stone, or where a move
   *  of two legs ends (its first target, if it goes no further). The piece is shown on the first one until then. */
  offerSecond(moves) {
    const [move] = moves;
    const { from } = move;
    const own = this.pieces.get(from);
    if (own) this.put(own.element, firstTarget(move));
    this.lifted = own && { element: own.element, from };
    this.chosen = { second: true };
    const captures = ({ via, to }) => Boolean(via) && to !== from && this.pieces.has(to);
    this.targets = new Map(moves.map((move) => [move.stone ?? move.to, [{ ...move, captures: captures(move) }]]));
    this.mark();
    this.describe();
    const say = moves.some(({ stone }) => stone) ? texts.putStone : texts.goOn;
    this.options.say?.(say(this.targets.size));
  }

  /** A piece that was shown where it goes is shown where it stands. */
  putBack() {
    if (this.lifted) this.put(this.lifted.element, this.lifted.from);
    this.lifted = null;
  }

  /** A click on a square, or its like from the keyboard. */
  click(square) {
    const moves = this.targets.get(square);
    if (moves) return this.finish(moves);
    const again = this.chosen?.square === square;
    if (this.chosen) this.release(again);
    if (!again && !this.choose({ square })) this.options.onSquare?.(square);
  }

  finish(moves) {
    this.release(false);
    this.options.onMove(moves);
  }

  /** The square under a point of the window. */
  squareUnder(x, y) {
    const box = this.grid.getBoundingClientRect();
    const column = Math.floor(((x - box.left) / box.width) * this.description.files);
    const row = Math.floor(((y - box.top) / box.height) * this.description.ranks);
    const inside = column >= 0 && row >= 0 && column < this.description.files && row < this.description.ranks;
    return inside ? this.squareAt(column, row) : null;
  }

  pressed(event) {
    if (event.button !== 0) return;
    const square = this.squareUnder(event.clientX, event.clientY);
    if (!square) return;
    this.setFocus(square, false);
    // A target is clicked; another own piece is taken up instead.
    if (this.targets.has(square)) return this.click(square);
    const was = this.chosen?.square === square;
    if (this.options.movesFrom({ square }).length) {
      if (!was) this.choose({ square });
      this.drag(event, { square }, this.pieces.get(square)?.piece, was);
    } else {
      this.click(square);
    }
  }

  /** The pointer takes up a piece; `was` says that it had been chosen before. */
  drag(event, source, piece, was) {
    return new Drag(this, event, source, piece, was);
  }

  key(event) {
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const step = steps[event.key];
    const [column, row] = this.columnAndRow(this.focus);
    const { files, ranks } = this.description;
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (step) {
      const [x, y] = [column + step[0], row + step[1]];
      if (x >= 0 && y >= 0 && x < files && y < ranks) this.setFocus(this.squareAt(x, y), true);
    } else if (event.key === "Home" || event.key === "End") {
      this.setFocus(this.squareAt(event.key === "Home" ? 0 : files - 1, row), true);
    } else if (event.key === "PageUp" || event.key === "PageDown") {
      this.setFocus(this.squareAt(column, event.key === "PageUp" ? 0 : ranks - 1), true);
    } else if (event.key === "Enter" || event.key === " ") {
      this.click(this.focus);
    } else if (event.key === "Escape") {
      this.release();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  focused(event) {
    const square = event.target.dataset?.square;
    if (square) this.setFocus(square, false);
  }

  setFocus(square, moves) {
    this.cells.get(this.focus).tabIndex = -1;
    this.focus = square;
    const cell = this.cells.get(square);
    cell.tabIndex = 0;
    if (moves) cell.focus();
  }

  /** Shows arrows: `{from, to, weight}`, without `from` a ring. */
  arrows(list) {
    this.drawing.show(list, (square) => this.columnAndRow(square));
  }
}
