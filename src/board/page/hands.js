// A hand: the pieces that a side may drop, each with its count.

import { texts } from "./texts.js";

export class Hand {
  /** `options` as the board's; `board` is where the pieces go. */
  constructor(place, board, options) {
    Object.assign(this, { place, board, options, shown: "" });
    place.classList.add("hand");
    place.setAttribute("role", "group");
  }

  /** Shows a hand. `gained` are the piece types that came just now. */
  show(side, held, gained = []) {
    this.side = side;
    this.place.setAttribute("aria-label", texts.hand(side));
    this.place.replaceChildren(...held.map(({ kind, count }) => this.item(kind, count, gained.includes(kind))));
    this.place.hidden = false;
    this.mark(null);
  }

  hide() {
    this.place.replaceChildren();
    this.place.hidden = true;
  }

  item(kind, count, isNew) {
    const piece = this.side + kind;
    const button = document.createElement("button");
    button.type = "button";
    button.className = isNew ? "held gained" : "held";
    button.dataset.kind = kind;
    const name = this.options.nameOf(piece);
    button.title = name;
    button.setAttribute("aria-label", texts.inHand(name, count));
    const picture = document.createElement("span");
    picture.className = "piece";
    this.board.paint(picture, piece);
    button.append(picture);
    const number = document.createElement("span");
    number.className = "count";
    number.textContent = count;
    number.hidden = count < 2;
    button.append(number);
    const source = { drop: kind, piece };
    button.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      const was = this.board.chosen?.drop === kind && this.board.chosen.piece === piece;
      if (!was) this.board.release(false);
      if (was || this.board.choose(source)) this.board.drag(event, source, piece, was);
      else this.options.onSquare?.(null, piece);
    });
    // A click of the keyboard has no pointer before it.
    button.addEventListener("click", (event) => {
      if (event.detail !== 0) return;
      if (this.board.chosen?.drop === kind) this.board.release();
      else {
        this.board.release(false);
        if (this.board.choose(source)) this.board.cells.get(this.board.focus).focus();
      }
    });
    return button;
  }

  /** Marks the piece that is chosen, and those that cannot be dropped now. */
  mark(chosen) {
    for (const button of this.place.children) {
      const { kind } = button.dataset;
      const own = { drop: kind, piece: this.side + kind };
      button.classList.toggle("chosen", chosen?.piece === own.piece && chosen?.drop === kind);
      button.classList.toggle("idle", !this.options.movesFrom(own).length);
    }
  }
}
