// What the sides do in a game: moves of people and of the program, hints, taking back, draws, resigning, running out of time.

import { choosePiece, confirm, note, say } from "./dialog.js";
import { Search } from "./engine.js";
import { other } from "./game.js";
import { pictureOf } from "./pictures.js";
import { Refused, ask } from "./server.js";
import { standing } from "./standing.js";
import { texts } from "./texts.js";

/** How long a program waits before it answers a program, in milliseconds. */
const PACE = 350;
/** Positions that are searched for a hint. */
const HINT = 30000;

const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export class Match {
  /** `app` has the game, and shows what becomes of it. */
  constructor(app) {
    Object.assign(this, { app, program: new Search("play"), hints: new Search("hint"), paused: false });
  }

  /** Whether the program searches for its move. */
  get thinks() {
    return this.program.runs;
  }

  /** Another game begins. */
  reset() {
    this.paused = false;
    this.program.cancel();
    this.hints.cancel();
  }

  /** A person plays one of these moves, which differ only in what a piece becomes, what comes from hand and their second target. */
  async choose(moves) {
    const { app } = this;
    if (moves[0].exchange) {
      app.game.arranged.push(moves[0].exchange);
      return app.refresh();
    }
    const way = ({ becomes, gated, gate }) => [becomes, gated, gate].join();
    const ways = [...new Map(moves.map((move) => [way(move), move])).values()];
    const chosen = ways.length === 1 ? ways[0] : await this.chooseOne(ways);
    if (!chosen) return app.paint(true);
    const left = moves.filter((move) => way(move) === way(chosen));
    return left.length === 1 ? this.move(left[0].text) : app.board.offerSecond(left);
  }

  /** Lets a person choose what the piece becomes or what comes from hand; resolves to the move, or null. */
  chooseOne(moves) {
    const { game } = this.app;
    const { side } = game.view;
    const [{ from, drop }] = moves;
    const own = drop ?? game.pieceOn(from).slice(1);
    const gates = moves.some((move) => move.gated);
    const option = (move) => {
      const kind = move.gated ?? move.becomes ?? own;
      const stays = !drop && !move.becomes && !move.gated;
      const piece = [game.description.names.get(kind), move.gate].filter(Boolean).join(", ");
      const name = stays ? (gates ? texts.choose.none : texts.choose.stay) : piece;
      return { value: move, kind: stays ? "" : kind, picture: pictureOf(game.variant, side + kind), name };
    };
    const heading = drop ? texts.choose.drop : gates ? texts.choose.gate : texts.choose.promotion;
    return choosePiece(heading, moves.map(option));
  }

  /** A person begins the setup again. */
  resetSetup() {
    this.app.game.arranged = [];
    return this.app.refresh();
  }

  pass() {
    const move = this.app.game.view.moves.find((own) => !own.to);
    return move && this.move(move.text);
  }

  /** Makes a move in the position that is looked at. Of the program's, its score and the view behind it are known. */
  async move(text, { score = null, view = null } = {}) {
    const { game } = this.app;
    this.hints.cancel();
    const isPlayed = game.play(text, score);
    await this.app.refresh({ view, turn: isPlayed, spoken: true });
    if (isPlayed && game.isOver()) game.clock?.stop();
  }

  /** If it is the program's turn, it moves. */
  async nextTurn() {
    const { app, app: { game } } = this;
    if (!game.isLive() || game.isOver() || this.thinks) return;
    const { view: { side, setup }, clock, live } = game;
    const waits = game.isPerson(side) || this.paused;
    // The time of the one who begins runs with the first move, unless the program begins.
    if (clock && !setup && (live.parent || !waits)) clock.run(side);
    if (waits) return;
    const isStale = () => app.game !== game || game.live !== live || Boolean(game.ending);
    const began = performance.now();
    try {
      const search = this.program.run(requestOf(game, side));
      app.showTurn();
      const best = await search;
      if (best?.type === "error") throw new Refused(best.error);
      if (!best || isStale()) return;
      if (!game.hasPerson()) await wait(Math.max(0, PACE - (performance.now() - began)));
      if (!isStale()) await this.answer(side, best);
    } catch (error) {
      app.fault(error);
      this.paused = true;
    }
  }

  /** The program has decided on its move. */
  async answer(side, best) {
    const { app, app: { game } } = this;
    if (best.claims) return this.end({ how: "claimed", reason: best.claims });
    if (!best.move) return;
    game.tree.at = game.live;
    if (best.own !== null) game.own[side].push(best.own);
    if (best.offers && game.offer !== other(side) && game.isPerson(other(side))) {
      game.offer = side;
      game.offered[side] = game.own[side].length;
      note(texts.offered(side));
    }
    if (game.view.side !== side) await app.refresh({ still: true });
    await this.move(best.move, best);
  }

  /** Ends the program's search with its move; where only programs play, halts them or lets them go on. */
  moveNow() {
    const { game } = this.app;
    if (game.hasPerson() && this.thinks) return this.program.stop();
    this.paused = !game.hasPerson() && !this.paused;
    if (this.paused) this.program.cancel();
    game.tree.at = game.live;
    return this.app.refresh({ turn: true });
  }

  async end(ending) {
    const { app, app: { game } } = this;
    game.end(ending);
    this.program.cancel();
    await app.refresh();
    say(standing(game));
    note(standing(game));
  }

  async takeBack() {
    const { app, app: { game } } = this;
    if (!game.live.parent) return;
    this.program.cancel();
    game.takeBack();
    await app.refresh({ turn: true });
    say(standing(game));
  }

  async hint() {
    const { game, board } = this.app;
    const node = game.tree.at;
    const best = await this.hints.run({ line: game.line(), limit: { nodes: HINT }, fresh: true });
    if (!best?.move || this.app.game !== game || node !== game.tree.at) return;
    const text = texts.hint(best.san, best.score?.text);
    const move = game.moveOf(best.move);
    board.arrows([{ from: move?.from, to: move?.to, weight: 1, kind: "hint" }]);
    note(text);
    say(text);
  }

  /** Claims a draw, accepts one, or offers one. */
  async draw() {
    const { app, app: { game } } = this;
    const { side, status } = game.view;
    const against = other(side);
    if (status.claim) return this.end({ how: "claimed", reason: status.claim });
    if (game.offer && (game.offer !== side || game.isPerson(against))) return this.end({ how: "agreed" });
    if (game.isPerson(against)) {
      game.offer = side;
      app.paint(true);
      app.keep();
      return note(texts.offered(side));
    }
    const { answer, score } = await ask("draw", { limit: limitOf(game, against), own_scores: game.own[against] });
    if (answer === "accepts") return this.end({ how: "agreed" });
    const text = texts.declines[answer](against, score);
    note(text);
    return say(text);
  }

  async resign() {
    if (!(await confirm(texts.confirm.resign))) return;
    const { game } = this.app;
    const { side } = game.view;
    await this.end({ how: "resigned", side: game.isPerson(side) ? side : other(side) });
  }

  /** The game goes on from the position that is looked at; what came behind it stays as a variation. */
  playFromHere() {
    const { game } = this.app;
    this.program.cancel();
    game.tree.promote(game.tree.at);
    game.goOn(game.tree.at);
    return this.app.refresh({ turn: true });
  }

  /** Who has no time left has lost. */
  async checkTime() {
    const { clock, ending } = this.app.game;
    const side = clock?.side;
    if (side && !ending && clock.of(side) <= 0) await this.end({ how: "flagged", side });
  }
}

/** What the program is asked for, for its move. */
function requestOf(game, side) {
  const { threads, hash } = game.people[side];
  return { line: game.line(), limit: limitOf(game, side), threads, hash, fresh: true, own_scores: game.own[side], offered: game.offered[side] };
}

/** How long the program searches for its moves of a side. */
function limitOf({ clock, people }, side) {
  const { limit } = people[side];
  if (!clock) return limit.clock ? { time: 1000 } : limit;
  if (!limit.clock) return limit;
  const { increment } = clock;
  return { clock: { left: ["w", "b"].map((own) => Math.round(clock.of(own))), increment: [increment, increment] } };
}
