// The editor of definitions: every fault at its line as one types, and the board beside it.

import { Board } from "./board.js";
import { button, download, field, make, note, select } from "./dialog.js";
import { Search } from "./engine.js";
import { movesOf, pictureOf } from "./pictures.js";
import { ask, describe } from "./server.js";
import { setting, set } from "./store.js";
import { texts } from "./texts.js";

/** The text is read when nothing was typed for so long, in milliseconds. */
const PAUSE = 200;

export class Inventor {
  /** `options`: leave(), play(definition, games). */
  constructor(place, options) {
    Object.assign(this, { place, options, search: new Search("perft") });
  }

  async open() {
    const words = texts.inventor;
    if (!this.text) {
      const sources = await ask("texts");
      this.sources = new Map(sources.map(({ name, text }) => [name, text]));
      this.build();
      this.text.value = setting("definition", null) ?? sources[0].text;
      this.typed();
    }
    this.place.setAttribute("aria-label", words.heading);
    await this.read();
  }

  build() {
    const words = texts.inventor;
    this.text = make("textarea", { id: "definition", spellcheck: false, wrap: "off", "aria-label": words.text, autocapitalize: "off" });
    this.lines = make("div", { class: "linenumbers", "aria-hidden": "true" });
    this.text.addEventListener("input", () => this.typed());
    this.text.addEventListener("scroll", () => (this.lines.style.transform = `translateY(${-this.text.scrollTop}px)`));
    this.faults = make("ul", { class: "faults", "aria-live": "polite", id: "definition-faults" });
    this.counts = make("p", { class: "quiet", role: "status", id: "counts" });
    this.title = make("h2");
    this.pieces = make("ul", { class: "pieces-list" });
    const board = make("div", { id: "inventor-board" });
    const names = [...this.sources.keys()].filter(Boolean);
    const begin = select([["", words.small], ...names.map((name) => [name, name])], "", () => this.begin(begin.value));
    this.play = button(words.play, () => this.options.play(this.text.value, this.games), { class: "strong", id: "invent-play" });
    this.perft = button(words.perft, () => this.count(), { id: "invent-perft" });
    const save = button(words.save, () => this.save(), { id: "invent-save" });
    this.place.replaceChildren(
      make("div", { class: "typing" }, field(words.begin, begin), make("div", { class: "code" }, make("div", { class: "gutter" }, this.lines), this.text),
        this.faults,
        make("div", { class: "buttons" }, this.play, this.perft, save, button(words.leave, this.options.leave, { id: "invent-leave" })), this.counts),
      make("div", { class: "preview" }, this.title, board, this.pieces),
    );
    this.board = new Board(board, {
      movesFrom: ({ square }) => this.view?.moves.filter((move) => move.from === square) ?? [],
      onMove: (moves) => this.try(moves),
      nameOf: (piece) => texts.piece(piece[0], this.description.names.get(piece.slice(1))),
      pictureOf: (piece) => pictureOf(this.description.name, piece),
    });
  }

  begin(name) {
    const text = this.sources.get(name);
    // The name and the title of a shipped game are taken.
    const renamed = () => text.replace(/^name = "/m, "$&my-").replace(/^aliases = .*\n/m, "")
      .replace(/^title = "(.*)"/m, (_, title) => `title = "${texts.inventor.own(title)}"`);
    this.text.value = name ? renamed() : text;
    this.typed();
  }

  typed() {
    const count = this.text.value.split("\n").length;
    const number = (_, index) => make("div", { textContent: index + 1 });
    if (this.lines.children.length !== count) this.lines.replaceChildren(...Array.from({ length: count }, number));
    set("definition", this.text.value);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.read(), PAUSE);
  }

  /** Reads the text; shows its faults, or the game. */
  async read() {
    const text = this.text.value;
    let answer;
    try {
      answer = await ask("define", { text });
    } catch (error) {
      answer = { games: [], faults: [{ line: 0, text: error.message }] };
    }
    if (text !== this.text.value) return;
    const { games, faults } = answer;
    this.games = games;
    const wrong = new Set(faults.map((fault) => fault.line));
    [...this.lines.children].forEach((line, index) => line.classList.toggle("wrong", wrong.has(index + 1)));
    const row = (fault) => {
      const place = fault.line ? texts.inventor.at(fault.line, fault.column) : "";
      return make("li", {}, button(`${place}${fault.key ? `${fault.key}: ` : ""}${fault.text}`, () => this.goTo(fault), { class: "fault link" }));
    };
    this.faults.replaceChildren(...(faults.length ? faults.map(row) : [make("li", { class: "right", textContent: texts.inventor.right })]));
    this.play.disabled = this.perft.disabled = !games.length;
    if (games.length) {
      this.description = await describe(games[0].name);
      this.title.textContent = this.description.title;
      this.board.setGame(this.description, false);
      this.fit();
      this.pieces.replaceChildren(...this.description.pieces.map((piece) => this.piece(piece)));
      await this.show([]);
    }
  }

  /** A piece of the game: picture, letter, name, moves. */
  piece({ letter, name, betza, words, sides }) {
    const { name: variant } = this.description;
    const piece = (sides[0] ? "w" : "b") + letter;
    const image = make("img", { src: pictureOf(variant, piece), alt: "", width: 32, height: 32 });
    const moves = make("img", { src: movesOf(variant, piece), alt: words, class: "moves", loading: "lazy" });
    const called = make("span", { textContent: name === letter ? "" : name });
    return make("li", {}, make("div", {}, image, make("b", { textContent: letter }), called, make("code", { textContent: betza })), moves);
  }

  /** Plays the first of these moves, once it is known what their second target is. */
  try(moves) {
    const [{ becomes, gated, gate, text }] = moves;
    const same = moves.filter((move) => move.becomes === becomes && move.gated === gated && move.gate === gate);
    return same.length > 1 ? this.board.offerSecond(same) : this.show([...this.moves, text]);
  }

  async show(moves) {
    this.moves = moves;
    const { name } = this.description;
    this.view = await ask("view", { variant: name, moves });
    if (name !== this.description.name) return;
    const [last] = this.view.plies;
    const { board, stones, check } = this.view;
    this.board.show({ pieces: board, stones, check, last: last ? [last.from, last.to].filter(Boolean) : [], still: !last, move: last });
  }

  goTo({ line, column }) {
    if (!line) return;
    const start = this.text.value.split("\n").slice(0, line - 1).reduce((sum, own) => sum + own.length + 1, 0);
    this.text.focus();
    this.text.setSelectionRange(start + column - 1, start + column - 1);
  }

  async count() {
    this.counts.textContent = "";
    try {
      await this.search.run({ command: "perft", line: { variant: this.games[0].name }, depth: 5 }, ({ type, depth, nodes }) => {
        this.counts.textContent += type === "count" ? texts.inventor.count(depth, nodes) : texts.inventor.stopped;
      });
    } catch (error) {
      note(error.message, "fault");
    }
  }

  save() {
    download(this.text.value, "application/toml", `${this.games[0]?.own_name ?? "game"}.toml`);
  }

  fit() {
    if (!this.description) return;
    const { files, ranks } = this.description;
    const cell = Math.floor(Math.min(56, (Math.min(innerWidth, 620) - 24) / files, (innerHeight * 0.6) / ranks));
    this.place.style.setProperty("--cell", `${cell}px`);
  }
}
