// The editor of positions: pieces, hands, side, phase; every fault of the position is shown at its place.

import { Board } from "./board.js";
import { button, field, make, select } from "./dialog.js";
import { ask } from "./server.js";
import { texts } from "./texts.js";

const ERASER = "";

export class Editor {
  /** `options`: leave(), use(fen, play), nameOf(piece), pictureOf(piece). */
  constructor(place, options) {
    Object.assign(this, { place, options });
  }

  async open(description, fen) {
    const words = texts.editor;
    this.description = description;
    this.chosen = null;
    const board = make("div", { id: "editor-board" });
    this.hands = make("div", { class: "hands" });
    this.palette = make("div", { class: "palette", role: "toolbar", "aria-label": texts.editor.heading });
    this.faults = make("ul", { class: "faults", "aria-live": "polite" });
    this.fen = make("textarea", { rows: 2, id: "editor-fen", spellcheck: false, onchange: () => this.read(this.fen.value) });
    this.side = select(Object.entries(texts.sides), "w", () => this.changed());
    this.state = description.has_setup
      ? select(Object.entries(words.phases), "-", () => this.changed())
      : make("input", { type: "text", spellcheck: false, onchange: () => this.changed() });
    this.state.id = "editor-state";
    this.passed = make("input", { type: "text", id: "editor-passed", spellcheck: false, onchange: () => this.changed() });
    const use = (play) => () => this.legal && this.options.use(this.legal, play);
    this.uses = [button(words.use, use(true), { class: "strong", id: "editor-use" }), button(words.analyze, use(false), { id: "editor-analyze" })];
    this.place.replaceChildren(
      make("div", { class: "editing" }, this.palette, board, this.hands),
      make("div", { class: "fields" },
        make("h2", { textContent: words.heading }), make("p", { class: "quiet", textContent: words.help }),
        field(words.side, this.side), field(description.has_setup ? words.phase : words.rights, this.state),
        field(words.passed, this.passed), field(words.fen, this.fen), this.faults,
        make("div", { class: "buttons" }, ...this.uses,
          button(words.start, () => this.read(description.start), { id: "editor-start" }),
          button(words.clear, () => this.clear(), { id: "editor-clear" }),
          button(words.cancel, this.options.leave, { id: "editor-leave" }))),
    );
    this.board = new Board(board, {
      movesFrom: (source) => this.movesFrom(source),
      onMove: ([move]) => this.moved(move),
      onSquare: (square) => this.put(square),
      onDropOutside: ({ square }) => this.set(square, null),
      nameOf: this.options.nameOf,
      pictureOf: this.options.pictureOf,
    });
    this.board.setGame(description, false);
    this.fit();
    this.fillPalette();
    await this.read(fen);
  }

  fillPalette() {
    const { nameOf, pictureOf } = this.options;
    const ofSide = (index) => this.description.pieces.filter((piece) => piece.sides[index] && !piece.hand_only);
    const pieces = ["w", "b"].flatMap((side, index) => ofSide(index).map((piece) => side + piece.letter));
    const item = (piece) => {
      const name = piece ? nameOf(piece) : texts.editor.erase;
      const own = make("button", { type: "button", class: "held", title: name, "aria-label": name, "aria-pressed": "false" });
      own.dataset.piece = piece;
      if (piece) {
        const picture = make("span", { class: "piece" });
        picture.style.backgroundImage = `url("${pictureOf(piece)}")`;
        own.append(picture);
      } else own.textContent = "⌫";
      own.onclick = () => {
        this.chosen = this.chosen === piece ? null : piece;
        for (const button of this.palette.children) button.setAttribute("aria-pressed", String(button === own && this.chosen !== null));
      };
      return own;
    };
    this.palette.replaceChildren(item(ERASER), ...pieces.map(item));
  }

  /** With no piece of the palette chosen, pieces are dragged to any other square. */
  movesFrom({ square }) {
    if (this.chosen !== null || !this.pieces?.has(square)) return [];
    return [...this.board.cells.keys()].filter((to) => to !== square && !this.description.holes.includes(to)).map((to) => ({ from: square, to }));
  }

  moved({ from, to }) {
    this.pieces.set(to, this.pieces.get(from));
    this.pieces.delete(from);
    return this.changed();
  }

  put(square) {
    if (this.chosen === null || this.description.holes.includes(square)) return;
    const same = this.pieces.get(square) === this.chosen;
    this.set(square, this.chosen === ERASER || same ? null : this.chosen);
  }

  set(square, piece) {
    if (piece) this.pieces.set(square, piece);
    else this.pieces.delete(square);
    return this.changed();
  }

  clear() {
    this.pieces.clear();
    this.held = [{}, {}];
    return this.changed();
  }

  read(fen) {
    return this.ask({ variant: this.description.name, fen });
  }

  changed() {
    const board = [...this.pieces].map(([square, piece]) => ({ square, piece }));
    const hands = this.held.map((held) => Object.entries(held).map(([kind, count]) => ({ kind, count })));
    const { halfmoves, fullmove, count } = this;
    const parts = { board, hands, side: this.side.value, state: this.state.value, passed: this.passed.value, halfmoves, fullmove, count };
    return this.ask({ variant: this.description.name, parts });
  }

  async ask(request) {
    const asked = (this.pending = {});
    let answer;
    try {
      answer = await ask("edit", request);
    } catch (error) {
      answer = { faults: [{ text: error.message, squares: [] }] };
    }
    // Only the last request counts: the answer to an earlier one would undo what was changed since.
    if (asked !== this.pending) return;
    const { parts, fen, text, faults } = answer;
    this.legal = fen ?? null;
    if (parts) {
      this.pieces = new Map(parts.board.map(({ square, piece }) => [square, piece]));
      this.held = parts.hands.map((hand) => Object.fromEntries(hand.map(({ kind, count }) => [kind, count])));
      Object.assign(this, { halfmoves: parts.halfmoves, fullmove: parts.fullmove, count: parts.count });
      this.side.value = parts.side;
      this.state.value = parts.state;
      this.passed.value = parts.passed;
      this.fen.value = text;
      this.board.show({ pieces: parts.board, still: true });
      this.showHands();
    }
    this.board.markFaults(new Set(faults.flatMap((fault) => fault.squares)));
    const lines = faults.map((fault) => make("li", { class: "fault", textContent: fault.text }));
    const right = make("li", { class: "right", textContent: texts.editor.right });
    this.faults.replaceChildren(...(lines.length ? lines : [right]));
    for (const own of this.uses) own.disabled = !this.legal;
  }

  /** The hands: a counter for each piece that can be in hand. */
  showHands() {
    const kinds = this.description.pieces.filter((piece) => piece.in_hand);
    if (!kinds.length) return this.hands.replaceChildren();
    const counter = (index, { letter, name }) => {
      const piece = "wb"[index] + letter;
      const picture = make("span", { class: "piece" });
      picture.style.backgroundImage = `url("${this.options.pictureOf(piece)}")`;
      const value = this.held[index][letter] ?? 0;
      const input = make("input", { type: "number", min: 0, max: 60, value, "aria-label": texts.piece("wb"[index], name) });
      input.onchange = () => {
        this.held[index][letter] = Math.max(0, Number(input.value) || 0);
        this.changed();
      };
      return make("span", { class: "counter" }, picture, input);
    };
    const counters = (index) => kinds.map((piece) => counter(index, piece));
    const hand = (index) => make("div", { class: "hand", role: "group", "aria-label": texts.hand("wb"[index]) }, ...counters(index));
    this.hands.replaceChildren(hand(0), hand(1));
  }

  /** The board beside the fields, or on a small screen above them. */
  fit() {
    if (!this.description) return;
    const { files, ranks } = this.description;
    const room = matchMedia("(min-width: 50rem)").matches ? innerWidth * 0.55 : innerWidth;
    const cell = Math.floor(Math.min(64, (room - 24) / files, (innerHeight * 0.66) / ranks));
    this.place.style.setProperty("--cell", `${cell}px`);
  }
}
