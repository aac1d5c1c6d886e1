// A game: what is played and by whom, the moves, the position that is looked at. It has no element of the page and knows no
// rule: what there is in a position, the program is asked for.

import { Clock } from "./clock.js";
import { ask, describe } from "./server.js";
import { texts } from "./texts.js";
import { Tree } from "./tree.js";

const PERSON = { kind: "person" };
/** Players: two people, who may both move. */
export const PEOPLE = { w: PERSON, b: PERSON };
/** Players: a person against the program. */
const AGAINST_PROGRAM = { w: PERSON, b: { kind: "program", limit: { level: 3 } } };

export const other = (side) => (side === "w" ? "b" : "w");

export class Game {
  /**
   * @param values variant, definition: the name, and the text if the game was typed here; description: the program's of its
   *   board and pieces; fen: of the start, if it is another; people; clock: or null; tags: of PGN; flipped: seen by Black;
   *   tree, live: the moves, and the last that was played; arranged: exchanges of a setup that is not done; ending: how
   *   people ended it; offer: the side that offers a draw; own, offered: by side, the program's scores and at which it offered
   */
  constructor(values) {
    Object.assign(this, { definition: null, fen: null, clock: null, tags: [], arranged: [], ending: null, offer: null }, values);
    /** What the program says of the position that is looked at: pieces, hands, moves, status. */
    this.view = null;
    /** The question for the view that is under way, or null. */
    this.pending = null;
  }

  /** A game with the view of the position that is looked at. */
  static async ofValues(values) {
    const game = new Game(values);
    await game.look();
    return game;
  }

  /** A new game. */
  static async begin({ variant, definition = null, fen = null, players = AGAINST_PROGRAM, clock = null, tags = [] }) {
    const tree = new Tree();
    const flipped = players.w.kind === "program" && players.b.kind === "person";
    const description = await describe(variant, definition);
    const sides = { people: players, clock: clock && new Clock(clock), own: { w: [], b: [] }, offered: { w: null, b: null } };
    return Game.ofValues({ variant, definition, description, fen, tags, flipped, tree, live: tree.root, ...sides });
  }

  /** A game that was read, as the program gives it; its start is looked at. */
  static async fromRecord({ variant, fen, tags, comment, moves, result }, definition) {
    const game = await Game.begin({ variant, definition, fen, tags, players: PEOPLE });
    const { tree } = game;
    tree.root.comment = comment;
    tree.at = game.live = tree.addLine(tree.root, moves);
    await game.look();
    if (result !== "*" && !game.view.status.over) {
      const loser = { "1-0": "b", "0-1": "w" }[result];
      game.ending = loser ? { how: "resigned", side: loser } : { how: "agreed" };
    }
    tree.at = tree.root;
    await game.look();
    return game;
  }

  /** A game that was kept. */
  static async fromValue({ variant, definition, fen, people, clock, tags = [], flipped, arranged = [], ending, offer, own, offered, ...moves }) {
    const tree = Tree.fromValue(moves.tree);
    const live = moves.live.reduce((step, text) => step.children.find((child) => child.text === text) ?? step, tree.root);
    const description = await describe(variant, definition);
    const sides = { people, clock: clock && new Clock(clock), ending, offer, own, offered };
    return Game.ofValues({ variant, definition, description, fen, tags, flipped, tree, live, arranged, ...sides });
  }

  /** As plain values, to be kept. */
  toValue() {
    const { variant, definition, fen, tags, people, ending, offer, own, offered, flipped, arranged } = this;
    const shown = { title: this.description.title, result: this.result() };
    const moves = { tree: this.tree.toValue(), live: this.tree.texts(this.live) };
    const clock = this.clock?.toValue() ?? null;
    return { variant, definition, fen, tags, people, ending, offer, own, offered, flipped, arranged, clock, ...moves, ...shown };
  }

  /** As the program reads it for a file. */
  toFile() {
    const { variant, fen, tree } = this;
    const has = (tag) => this.tags.some(([name]) => name === tag);
    const date = new Date().toISOString().slice(0, 10).replaceAll("-", ".");
    const own = [["Date", date], ["White", this.playerName("w")], ["Black", this.playerName("b")]];
    const tags = [...this.tags, ...own.filter(([name]) => !has(name))];
    return { variant, fen, tags, comment: tree.root.comment, moves: tree.toLine(), result: this.result() };
  }

  /** The game up to the position that is looked at, as the program reads it. */
  line() {
    return { variant: this.variant, fen: this.fen, moves: this.tree.texts(), arranged: this.isLive() ? this.arranged : [] };
  }

  /** Asks for the view of the position that is looked at, unless it is given; whether it is there, and no other was asked for
   *  since. The plies before the last are asked for only if they are not known. */
  async look(given = null) {
    const asked = (this.pending = {});
    const path = this.tree.path();
    const node = this.tree.at;
    const all = path.slice(0, -1).some((step) => !step.san);
    try {
      const view = (!all && given) || (await ask("view", { ...this.line(), all }));
      if (asked !== this.pending || node !== this.tree.at) return false;
      this.view = view;
    } catch (error) {
      if (asked === this.pending) this.pending = null;
      throw error;
    }
    this.pending = null;
    const plies = all ? path : path.slice(-1);
    plies.forEach((step, index) => Object.assign(step, this.view.plies[index]));
    return true;
  }

  isPerson(side) {
    return this.people[side].kind === "person";
  }

  /** Whether a person plays, and not the program against itself. */
  hasPerson() {
    return this.isPerson("w") || this.isPerson("b");
  }

  playerName(side) {
    return this.isPerson(side) ? texts.player.person : texts.player.program(texts.strength(this.people[side].limit));
  }

  nameOf(piece) {
    return texts.piece(piece[0], this.description.names.get(piece.slice(1)));
  }

  /** Whether the position is looked at up to which the game is played. */
  isLive() {
    return this.tree.at === this.live;
  }

  isOver() {
    return (this.isLive() && Boolean(this.ending)) || this.view.status.over;
  }

  result() {
    if (this.ending) {
      const { how, side } = this.ending;
      if (how === "agreed" || how === "claimed") return "1/2-1/2";
      return side === "w" ? "0-1" : "1-0";
    }
    return this.isLive() ? this.view.status.result : "*";
  }

  /** Whether a person may move in the position that is looked at: of the game that is played, on their turn; elsewhere, to
   *  try something, always. */
  mayMove() {
    if (this.isOver()) return false;
    return !this.isLive() || this.isPerson(this.view.side);
  }

  /** Whether a person may answer the offer of a draw. Where two people play, one does so when it is the other's turn. */
  mayAccept() {
    const { offer } = this;
    return offer && this.isPerson(other(offer)) && (this.view.side !== offer || this.isPerson(offer));
  }

  /** The moves of a piece on a square or in hand. In a setup these are exchanges. */
  movesFrom({ square, drop, piece }) {
    const { view } = this;
    if (!this.mayMove()) return [];
    if (drop) return piece[0] === view.side ? view.moves.filter((move) => move.drop === drop) : [];
    if (!view.setup) return view.moves.filter((move) => move.from === square);
    const { squares } = view.setup;
    const occupied = new Set(view.board.map((stand) => stand.square));
    if (!squares.includes(square) || !occupied.has(square)) return [];
    return squares.filter((to) => to !== square).map((to) => ({ exchange: square + to, to }));
  }

  /** The piece on a square of the position that is looked at. */
  pieceOn(square) {
    return this.view.board.find((stand) => stand.square === square)?.piece;
  }

  /** The move of the position that is looked at which has this text. */
  moveOf(text) {
    return this.view.moves.find((move) => move.text === text);
  }

  /** Makes a move in the position that is looked at; whether it is one of the game, and not one that is tried. */
  play(text, score) {
    const isLive = this.isLive();
    const { side, setup } = this.view;
    const node = this.tree.play(text);
    if (score) node.score = score;
    if (!isLive) return false;
    this.live = node;
    this.arranged = [];
    // An offer stands until the other side has moved.
    if (this.offer === other(side)) this.offer = null;
    if (this.clock && !setup) this.clock.moved(side, other(side));
    if (this.clock) node.clock = this.clock.toValue().left;
    return true;
  }

  /** Makes several moves, to try them; those of two people become the game's. */
  playLine(moves) {
    const isPlayed = this.isLive() && !this.isOver() && this.isPerson("w") && this.isPerson("b");
    for (const text of moves) this.tree.play(text);
    if (isPlayed) this.live = this.tree.at;
  }

  /** Takes back the last move of a person, and what the program answered. */
  takeBack() {
    const people = ["w", "b"].filter((side) => this.isPerson(side));
    let step = this.live;
    while (step.parent && people.length && step.side && !people.includes(step.side)) step = step.parent;
    if (!step.parent) step = this.live;
    const { parent } = step;
    for (let undone = this.live; undone !== parent; undone = undone.parent) if (!this.isPerson(undone.side)) this.own[undone.side].pop();
    parent.children = parent.children.filter((child) => child !== step);
    this.goOn(parent);
    this.clock?.set(parent.clock);
  }

  /** The game goes on from a position; what came behind it stays. */
  goOn(node) {
    this.tree.at = this.live = node;
    this.ending = this.offer = null;
    this.arranged = [];
  }

  /** People have ended the game. */
  end(ending) {
    this.ending = ending;
    this.offer = null;
    this.clock?.stop();
    this.tree.at = this.live;
  }
}
