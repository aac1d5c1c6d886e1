// The page of a tab: puts its parts together, begins games, and shows the position that is looked at.

import { Analysis } from "./analysis.js";
import { Board } from "./board.js";
import { Controls } from "./controls.js";
import { at, note, say } from "./dialog.js";
import { openFiles } from "./files.js";
import { Game } from "./game.js";
import { explain } from "./learn.js";
import { Match } from "./match.js";
import { MoveList } from "./moves.js";
import { chooseGame } from "./newgame.js";
import { loadPictures, pictureOf } from "./pictures.js";
import { Players } from "./players.js";
import { Sections } from "./sections.js";
import { Gone, Refused, ask } from "./server.js";
import { applySettings, openSettings } from "./settings.js";
import { announce, showSetup, showStanding } from "./standing.js";
import * as store from "./store.js";
import { texts } from "./texts.js";

/** So often the clocks are shown anew, in milliseconds. */
const TICK = 100;
/** So often the page reports to the program that it is still open, in milliseconds. */
const PING = 20000;

class App {
  constructor() {
    /** The game that is shown, with the view of the position that is looked at. */
    this.game = null;
    this.match = new Match(this);
    const options = {
      movesFrom: (source) => this.game.movesFrom(source),
      onMove: (moves) => this.guard(() => this.match.choose(moves)),
      onChoose: (source) => this.players.mark(source),
      nameOf: (piece) => this.game.nameOf(piece),
      pictureOf: (piece) => pictureOf(this.game.variant, piece),
      say,
    };
    this.board = new Board(at("board"), options);
    this.players = new Players(at("far"), at("near"), this.board, options);
    this.moves = new MoveList(at("moves"), {
      onGo: (node) => this.go(node),
      onPromote: (node) => this.promote(node),
      onRemove: (node) => this.remove(node),
      figureOf: (piece) => (this.game.description.names.has(piece.slice(1)) ? pictureOf(this.game.variant, piece) : null),
    });
    this.analysis = new Analysis(at("analysis"), at("gauge"), {
      onArrows: (arrows) => this.board.arrows(arrows),
      onPlay: (moves) => this.guard(() => this.playLine(moves)),
      onGo: (node) => this.go(node),
      onScore: () => this.keep(),
    });
    this.sections = new Sections(this);
    this.controls = new Controls(this);
    at("play").addEventListener("contextmenu", (event) => explain(this, event));
    setInterval(() => this.tick(), TICK);
    setInterval(() => this.ping(), PING);
    applySettings();
  }

  /** Begins: with the game that is asked for in the address, or one that is kept, or a new one. */
  async start() {
    this.games = await ask("games");
    const wanted = new URLSearchParams(location.search).get("game");
    if (wanted) {
      history.replaceState(null, "", location.pathname);
      const seed = Math.floor(Math.random() * 2 ** 32);
      const { name } = await ask("chosen", { name: wanted, seed });
      return this.begin({ variant: name });
    }
    const kept = await store.resume();
    if (kept) {
      try {
        return this.show(await Game.fromValue(kept));
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        note(error.message, "fault");
      }
    }
    await this.begin({ variant: this.games[0].name });
    return this.newGame();
  }

  /** A new game, with the options of `Game.begin`. One that the program refuses leaves the page as it is. */
  async begin(options) {
    const game = await Game.begin(options);
    await store.begin();
    this.show(game);
  }

  /** Shows a game that was read, as the program gives it. */
  async load(record) {
    const name = (tag) => record.tags.find(([own]) => own === tag)?.[1] ?? "";
    const definition = record.variant === this.game.variant ? this.game.definition : null;
    const game = await Game.fromRecord(record, definition);
    await store.begin();
    this.show(game);
    note(`${name("White")} – ${name("Black")} ${record.result}`);
  }

  /** Shows another game. */
  show(game) {
    this.match.reset();
    this.game = game;
    at("title").textContent = game.description.title;
    document.title = `${game.description.title} – ${texts.app}`;
    this.board.setGame(game.description, game.flipped);
    this.pictures = loadPictures(game.variant, game.description);
    this.sections.fit();
    this.settle({ still: true, turn: true });
  }

  /** Asks for the position that is looked at, unless its view is given, and shows it. */
  async refresh({ view = null, ...how } = {}) {
    const { game } = this;
    const isThere = await game.look(view);
    if (isThere && game === this.game) this.settle(how);
  }

  /** The view of a position has come. `still`: pieces do not glide; `turn`: the side to move is to move now; `spoken`: the
   *  move that leads here is said. */
  settle({ still = false, turn = false, spoken = false }) {
    const { game } = this;
    this.paint(still);
    if (spoken && game.tree.at.san) announce(game);
    this.keep();
    this.analysis.follow(game);
    if (turn) this.match.nextTurn();
  }

  paint(still = false) {
    const { game, game: { view, tree: { at: node } } } = this;
    const last = [node.from, node.to].filter(Boolean);
    this.board.show({ pieces: view.board, stones: view.stones, last, check: view.check, move: node, still });
    this.board.arrows([]);
    if (node.fall && !still) this.board.flash(node.fall.square, "fallen");
    this.showTurn();
    showStanding(game);
    showSetup(this);
    this.moves.show(game.tree);
    this.analysis.graph(game.tree);
    this.sections.fit();
  }

  /** Shows whose turn it is, and what may be done. */
  showTurn() {
    this.players.show(this.game, this.match.thinks);
    this.controls.show(this.game);
  }

  /** Keeps the game as it is now. */
  keep() {
    const kept = store.keep(this.game.toValue());
    if (!kept && !this.warned) note(texts.full, "fault");
    this.warned = !kept;
  }

  async go(node) {
    if (!node) return;
    this.game.tree.at = node;
    await this.guard(() => this.refresh());
  }

  async playLine(moves) {
    this.game.playLine(moves);
    await this.refresh();
  }

  promote(node) {
    this.game.tree.promote(node);
    this.paint(true);
    this.keep();
  }

  /** Removes a variation, unless the game has been played in it. */
  remove(node) {
    const { tree, live } = this.game;
    if (tree.path(live).includes(node)) return;
    tree.remove(node);
    this.go(tree.at);
  }

  flip() {
    const { game } = this;
    game.flipped = !game.flipped;
    this.board.setGame(game.description, game.flipped);
    this.paint(true);
    this.analysis.redraw();
    this.keep();
  }

  toggleAnalysis() {
    this.analysis.toggle(this.game);
    if (!this.analysis.on) this.board.arrows([]);
    this.controls.show(this.game);
    this.sections.fit();
  }

  async newGame() {
    this.sections.showPlay();
    const chosen = await chooseGame(this.games, this.game?.variant);
    if (chosen) await this.guard(() => this.begin(chosen));
  }

  async openFiles() {
    this.sections.showPlay();
    const act = await this.guard(() => openFiles(this));
    if (act) await this.guard(act);
  }

  openSettings() {
    return openSettings(() => {
      this.board.repaint();
      this.paint(true);
    });
  }

  tick() {
    if (!this.game?.clock) return;
    this.players.tick(this.game.clock);
    this.guard(() => this.match.checkTime());
  }

  async ping() {
    try {
      await ask("ping");
      this.isGone = false;
    } catch (error) {
      if (!this.isGone) this.fault(error);
      this.isGone = true;
    }
  }

  /** Does something and shows what is wrong with it. */
  async guard(act) {
    try {
      return await act();
    } catch (error) {
      this.fault(error);
      return null;
    }
  }

  fault(error) {
    if (error instanceof Gone) note(texts.gone, "fault");
    else if (error instanceof Refused) {
      note(error.message, "fault");
      if (this.game) this.paint(true);
    } else throw error;
  }
}

const app = new App();
window.garrison = app;
app.guard(() => app.start());
