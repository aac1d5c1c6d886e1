// The game that this tab shows: who plays, what has been played, what may be done now.

import { Analysis } from "./analysis.js";
import { Board } from "./board.js";
import { Clock, clockText } from "./clock.js";
import { button, choosePiece, confirm, dialog, field, make, note, select } from "./dialog.js";
import { Editor } from "./editor.js";
import { Search } from "./engine.js";
import { openFiles, annotate } from "./files.js";
import { openPieces, openRules } from "./learn.js";
import { Hand } from "./hands.js";
import { Inventor } from "./inventor.js";
import { MoveList } from "./moves.js";
import { chooseGame } from "./newgame.js";
import { Gone, Refused, ask, pictureOf } from "./server.js";
import * as store from "./store.js";
import { texts } from "./texts.js";
import { Tree } from "./tree.js";

const at = (id) => document.getElementById(id);
const other = (side) => (side === "w" ? "b" : "w");
/** How long a program waits before it answers a program, in milliseconds. */
const PACE = 350;

/** So often the page reports to the program that it is still open, in milliseconds. */
const PING = 20000;

class App {
  constructor() {
    this.style = store.setting("style", "figures");
    this.flipped = false;
    this.view = null;
    this.turn = 0;
    this.programSearch = new Search("play");
    this.hintSearch = new Search("hint");
    const options = {
      movesFrom: (source) => this.movesFrom(source),
      onMove: (moves) => this.choose(moves),
      onChoose: (source) => this.hands?.forEach((hand) => hand.mark(source)),
      nameOf: (piece) => this.nameOf(piece),
      pictureOf: (piece) => pictureOf(this.style, this.variant, piece),
      say: (text) => this.say(text),
    };
    this.board = new Board(at("board"), options);
    this.players = { far: this.player(at("far"), options), near: this.player(at("near"), options) };
    this.hands = [this.players.far.hand, this.players.near.hand];
    this.moves = new MoveList(at("moves"), {
      onGo: (node) => this.go(node),
      onPromote: (node) => this.promote(node),
      onRemove: (node) => this.remove(node),
      figureOf: (piece) => (this.names.has(piece.slice(1)) ? pictureOf(this.style, this.variant, piece) : null),
    });
    this.analysis = new Analysis(at("analysis"), at("gauge"), {
      onArrows: (arrows) => this.arrows(arrows),
      onPlay: (moves) => this.playLine(moves),
      onGo: (node) => this.go(node),
      onScore: () => this.keep(),
    });
    this.editor = new Editor(at("editor"), { leave: () => this.showEditor(false), use: (fen, play) => this.usePosition(fen, play), nameOf: (piece) => this.nameOf(piece), pictureOf: options.pictureOf });
    this.inventor = new Inventor(at("inventor"), { leave: () => this.showInventor(false), play: (text, games) => this.playInvented(text, games) });
    this.buildMenu();
    this.buildActions();
    at("play").addEventListener("contextmenu", (event) => this.explain(event));
    new ResizeObserver(() => this.fit()).observe(document.body);
    window.addEventListener("keydown", (event) => this.key(event));
    setInterval(() => this.tick(), 100);
    setInterval(() => this.ping(), PING);
  }

  player(place, options) {
    const dot = make("span", { class: "dot" });
    const name = make("span", { class: "name" });
    const state = make("span", { class: "state" });
    const clock = make("span", { class: "clock", role: "timer" });
    const hand = make("div");
    place.replaceChildren(make("div", { class: "who" }, dot, name, state, clock), hand);
    return { place, dot, name, state, clock, hand: new Hand(hand, this.board, options) };
  }

  buildMenu() {
    const { menu } = texts;
    const open = at("open-menu");
    open.textContent = menu.open;
    open.onclick = () => open.setAttribute("aria-expanded", String(at("menu").classList.toggle("open")));
    at("menu").addEventListener("click", () => {
      at("menu").classList.remove("open");
      open.setAttribute("aria-expanded", "false");
    });
    at("menu").append(
      button(menu.new, () => this.newGame(), { id: "new" }),
      button(menu.files, () => this.openFiles(), { id: "files" }),
      button(menu.editor, () => this.showEditor(true), { id: "edit" }),
      button(menu.inventor, () => this.showInventor(true), { id: "invent" }),
      button(menu.pieces, () => openPieces(this), { id: "pieces" }),
      button(menu.rules, () => openRules(this), { id: "rules" }),
      button(menu.games, () => this.openKept(), { id: "kept" }),
      button(menu.settings, () => this.openSettings(), { id: "settings" }),
    );
  }

  /** A right click, a long touch or the menu key on a piece shows how it moves. */
  explain(event) {
    const { square, kind } = event.target.closest("[data-square], [data-kind]")?.dataset ?? {};
    const side = event.target.closest("#near, #far")?.id === (this.flipped ? "far" : "near") ? "w" : "b";
    const piece = kind ? side + kind : this.view.board.find((own) => own.square === square)?.piece;
    if (!piece) return;
    event.preventDefault();
    openPieces(this, piece);
  }

  buildActions() {
    const { action, step } = texts;
    const actions = {
      back: () => this.takeBack(), hint: () => this.hint(), draw: () => this.draw(), resign: () => this.resign(), pass: () => this.pass(),
      go: () => this.moveNow(), switch: () => this.playFromHere(), flip: () => this.flip(), analysis: () => this.toggleAnalysis(),
    };
    this.actions = {};
    for (const [name, act] of Object.entries(actions)) {
      this.actions[name] = button(action[name], () => this.guard(act), { id: `do-${name}` });
    }
    at("actions").setAttribute("aria-label", "Game");
    at("actions").append(...Object.values(this.actions));
    const steps = { first: ["«", () => this.go(this.tree.root)], previous: ["‹", () => this.step(-1)], next: ["›", () => this.step(1)], last: ["»", () => this.go(this.tree.end(this.tree.at))] };
    at("steps").setAttribute("aria-label", texts.moves.heading);
    at("steps").append(...Object.entries(steps).map(([name, [sign, act]]) => button(sign, act, { id: `step-${name}`, title: step[name], "aria-label": step[name] })));
  }

  /** Begins: with the game that is asked for in the address, or one that is kept, or a new one. */
  async start() {
    this.applySettings();
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
        return await this.restore(kept);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        note(error.message, "fault");
      }
    }
    await this.begin({ variant: this.games[0].name });
    return this.newGame();
  }

  /** A new game. */
  async begin({ variant, definition = null, fen = null, players = null, clock = null, flipped = null, tags = [] }) {
    await this.setVariant(variant, definition);
    await store.begin();
    this.fen = fen;
    this.tree = new Tree();
    this.live = this.tree.root;
    this.people = players ?? { w: { kind: "person" }, b: { kind: "program", limit: { level: 3 } } };
    this.clock = clock && new Clock(clock);
    this.resetGame();
    this.tags = tags;
    this.flipped = flipped ?? (this.people.w.kind === "program" && this.people.b.kind === "person");
    this.board.setGame(this.game, this.flipped);
    this.fit();
    await this.refresh({ still: true, turn: true });
  }

  resetGame() {
    this.arranged = [];
    this.ending = null;
    this.offer = null;
    this.declined = null;
    this.own = { w: [], b: [] };
    this.offered = { w: null, b: null };
    this.paused = false;
    this.programSearch.cancel();
    this.hintSearch.cancel();
  }

  /** `definition` is the text of a game that was typed here, which the program may not know any more. */
  async setVariant(variant, definition) {
    if (definition) await ask("define", { text: definition });
    this.definition = definition ?? null;
    this.variant = variant;
    this.game = { ...(await ask("game", { variant })), name: variant };
    this.names = new Map(this.game.pieces.map((piece) => [piece.letter, piece.name]));
    at("title").textContent = this.game.title;
    document.title = `${this.game.title} – ${texts.app}`;
  }

  /** Goes on with a kept game. */
  async restore(kept) {
    await this.setVariant(kept.variant, kept.definition);
    this.fen = kept.fen;
    this.tree = Tree.fromValue(kept.tree);
    this.people = kept.people;
    this.clock = kept.clock && new Clock(kept.clock);
    this.resetGame();
    Object.assign(this, { arranged: kept.arranged ?? [], ending: kept.ending, offer: kept.offer, own: kept.own, offered: kept.offered, tags: kept.tags ?? [] });
    this.live = kept.live.reduce((step, text) => step.children.find((child) => child.text === text) ?? step, this.tree.root);
    this.flipped = kept.flipped;
    this.board.setGame(this.game, this.flipped);
    this.fit();
    await this.refresh({ still: true, turn: true });
  }

  /** Keeps the game as it is now. */
  keep() {
    if (!this.tree) return;
    const { variant, definition, fen, people, arranged, ending, offer, own, offered, flipped, tags } = this;
    const value = { variant, definition, title: this.game.title, fen, people, arranged, ending, offer, own, offered, flipped, tags };
    const kept = store.keep({ ...value, clock: this.clock?.toValue() ?? null, tree: this.tree.toValue(), live: this.tree.texts(this.live), result: this.result() });
    if (!kept && !this.warned) note(texts.full, "fault");
    this.warned = !kept;
  }

  /** The game up to the position that is looked at, as the program reads it. */
  line(moves = this.tree.texts()) {
    return { variant: this.variant, fen: this.fen, moves, arranged: this.tree.at === this.live ? this.arranged : [] };
  }

  /** Asks for the position that is looked at, and shows it. */
  async refresh({ still = false, turn = false, spoken = false } = {}) {
    const number = (this.turn += 1);
    this.pending = true;
    const node = this.tree.at;
    const all = this.tree.path().some((step) => !step.san);
    const view = await ask("view", { ...this.line(), all });
    if (number !== this.turn || node !== this.tree.at) return;
    this.view = view;
    this.pending = false;
    const path = this.tree.path();
    const plies = all ? path : path.slice(-1);
    plies.forEach((step, index) => Object.assign(step, view.plies[index]));
    this.paint(still);
    if (spoken && node.san) this.announce(node);
    this.keep();
    this.analysis.follow(this.line(), node, this.standstill());
    if (turn) this.nextTurn();
  }

  paint(still = false) {
    const { view, tree } = this;
    const node = tree.at;
    const last = [node.from, node.to].filter(Boolean);
    this.board.show({ pieces: view.board, last, check: view.check, move: node, still });
    this.board.arrows([]);
    if (node.fall && !still) this.board.flash(node.fall.square, "fallen");
    const bottom = this.flipped ? "b" : "w";
    this.showPlayer(this.players.near, bottom, node);
    this.showPlayer(this.players.far, other(bottom), node);
    this.showStanding();
    this.showSetup();
    this.showActions();
    this.moves.show(tree);
    this.analysis.graph(tree);
    this.fit();
  }

  showPlayer(shown, side, node) {
    const { kind, limit } = this.people[side];
    shown.side = side;
    shown.dot.className = `dot ${side}`;
    shown.name.textContent = `${texts.sides[side]} · ${kind === "program" ? texts.player.program(texts.strength(limit)) : texts.player.person}`;
    shown.place.classList.toggle("turn", !this.isOver() && this.view.side === side);
    shown.clock.hidden = !this.clock;
    if (this.game.has_hands) {
      const gained = node.fall ? (node.fall.owner === side ? node.fall.owner_gets : node.fall.captor_gets) : [];
      shown.hand.show(side, this.view.hands[side === "w" ? 0 : 1], gained);
    } else {
      shown.hand.hide();
    }
    shown.state.textContent = this.programSearch.runs && this.view.side === side ? texts.thinking : "";
  }

  /** One line on how the game stands, and what has just happened. */
  showStanding() {
    const { view, tree } = this;
    const lines = [make("p", { class: "state", textContent: this.standing() })];
    if (tree.at.event) lines.push(make("p", { class: "event", textContent: tree.at.event }));
    if (this.isLive() && !this.isOver()) {
      if (view.status.claim) lines.push(make("p", { textContent: texts.claimable(view.status.claim) }));
      if (this.offer) {
        const waits = this.isPerson(other(this.offer)) && this.isPerson(this.offer) && view.side === this.offer;
        lines.push(make("p", { textContent: waits ? texts.waits(other(this.offer)) : texts.offered(this.offer) }));
      }
    }
    at("standing").replaceChildren(...lines);
  }

  standing() {
    const { view } = this;
    if (this.ending && this.isLive()) {
      const { how, side, reason } = this.ending;
      const text = { resigned: () => texts.resigned(side), flagged: () => texts.flagged(side), agreed: () => texts.agreed, claimed: () => texts.claimed(reason) }[how]();
      return `${texts.results[this.result()]} · ${text}`;
    }
    if (view.status.over) return `${texts.results[view.status.result]} (${view.status.reason})`;
    if (view.setup) return texts.toSetUp(view.side);
    if (view.place) return texts.place(view.side, this.names.get(view.place));
    return view.check.length ? texts.inCheck(view.side) : texts.toMove(view.side);
  }

  showSetup() {
    const place = at("setup");
    const open = Boolean(this.view.setup) && this.mayMove();
    place.hidden = !open;
    if (!open) return;
    const { setup, side } = this.view;
    const act = (text) => () => this.guard(() => this.move(text));
    const reset = () => this.guard(async () => {
      this.arranged = [];
      await this.refresh();
    });
    place.replaceChildren(
      make("h2", { textContent: texts.setup.heading(side) }),
      make("p", { textContent: texts.setup.help }),
      make("div", { class: "buttons" },
        button(texts.setup.done, act(setup.done), { class: "strong", id: "setup-done" }),
        button(texts.setup.keep, act(setup.keep), { id: "setup-keep" }),
        button(texts.setup.reset, reset, { id: "setup-reset", disabled: !this.arranged.length })),
    );
  }

  showActions() {
    const { back, hint, draw, resign, pass, go, analysis } = this.actions;
    const over = this.isOver();
    const person = !over && this.isLive() && this.isPerson(this.view.side);
    const people = this.isPerson("w") || this.isPerson("b");
    back.disabled = !this.live.parent;
    hint.disabled = over || this.programSearch.runs;
    const { claim } = this.view.status;
    const accepts = this.offer && this.isPerson(other(this.offer)) && (this.view.side !== this.offer || this.isPerson(this.offer));
    draw.textContent = claim ? texts.action.claim : accepts ? texts.action.accept : texts.action.draw;
    draw.hidden = !people;
    draw.disabled = !person || Boolean(this.view.setup) || (this.offer === this.view.side && !accepts);
    resign.hidden = !people;
    resign.disabled = over || !this.isLive();
    pass.hidden = !(this.mayMove() && this.view.moves.some((move) => !move.to));
    const waits = !over && !this.isPerson(this.view.side) && this.isLive();
    go.hidden = people && !waits;
    go.textContent = !people && this.paused ? texts.action.resume : people ? texts.action.go : texts.action.stop;
    go.disabled = over;
    this.actions.switch.hidden = this.isLive();
    analysis.setAttribute("aria-pressed", String(this.analysis.on));
  }

  announce(node) {
    const words = [texts.moved(node.side, node.san)];
    if (node.event) words.push(node.event);
    if (this.isOver()) words.push(this.standing());
    else if (node.check) words.push(texts.check);
    if (node.event) note(node.event);
    this.say(words.join(". "));
  }

  say(text) {
    at("says").textContent = text;
  }

  nameOf(piece) {
    return texts.piece(piece[0], this.names.get(piece.slice(1)) ?? piece.slice(1));
  }

  isPerson(side) {
    return this.people[side].kind === "person";
  }

  isLive() {
    return this.tree.at === this.live;
  }

  isOver() {
    return this.isLive() && Boolean(this.ending) || this.view.status.over;
  }

  result() {
    if (this.ending) {
      const { how, side } = this.ending;
      if (how === "agreed" || how === "claimed") return "1/2-1/2";
      return side === "w" ? "0-1" : "1-0";
    }
    return this.isLive() && this.view ? this.view.status.result : "*";
  }

  /** Why there is nothing to analyze in the position that is looked at, with its score if the game is over; or null. */
  standstill() {
    const { status, setup } = this.view;
    if (status.over) return { why: texts.analysis.over, score: { text: status.result, expected: { "1-0": 1, "0-1": 0 }[status.result] ?? 0.5 } };
    return setup ? { why: texts.analysis.setup, score: { text: "", expected: 0.5 } } : null;
  }

  /** Whether a person may move in the position that is looked at: of the game that is played, on their turn; elsewhere, to
   *  try something, always. */
  mayMove() {
    if (this.isOver()) return false;
    return !this.isLive() || this.isPerson(this.view.side);
  }

  /** The moves of a piece on a square or in hand. In a setup these are exchanges. */
  movesFrom({ square, drop, piece }) {
    const { view } = this;
    if (!view || !this.mayMove()) return [];
    if (drop) return piece[0] === view.side ? view.moves.filter((move) => move.drop === drop) : [];
    if (!view.setup) return view.moves.filter((move) => move.from === square);
    const { squares } = view.setup;
    const occupied = new Set(view.board.map((stand) => stand.square));
    if (!squares.includes(square) || !occupied.has(square)) return [];
    return squares.filter((to) => to !== square).map((to) => ({ exchange: square + to, to }));
  }

  /** Plays one of these moves, which differ only in what the piece becomes. */
  choose(moves) {
    return this.guard(async () => {
      if (moves[0].exchange) {
        this.arranged.push(moves[0].exchange);
        await this.refresh();
        return;
      }
      const move = moves.length === 1 ? moves[0] : await this.chooseOne(moves);
      if (move) await this.move(move.text);
      else this.paint(true);
    });
  }

  async chooseOne(moves) {
    const { side } = this.view;
    const [{ from, drop }] = moves;
    const own = drop ?? this.view.board.find((stand) => stand.square === from).piece.slice(1);
    const option = (move) => {
      const kind = move.becomes ?? own;
      const stays = !drop && !move.becomes;
      const name = stays ? texts.choose.stay : this.names.get(kind);
      return { value: move, kind: stays ? "" : kind, picture: pictureOf(this.style, this.variant, side + kind), name };
    };
    return choosePiece(drop ? texts.choose.drop : texts.choose.promotion, moves.map(option));
  }

  pass() {
    const move = this.view.moves.find((own) => !own.to);
    return move && this.move(move.text);
  }

  /** Makes a move in the position that is looked at. */
  async move(text, { score = null } = {}) {
    const live = this.isLive();
    const { side } = this.view;
    const isSetup = Boolean(this.view.setup);
    this.hintSearch.cancel();
    const node = this.tree.play(text);
    if (score) node.score = score;
    if (live) {
      this.live = node;
      this.arranged = [];
      // An offer stands until the other side has moved.
      if (this.offer === other(side)) this.offer = null;
      if (this.clock && !isSetup) this.clock.moved(side, true);
      if (this.clock) node.clock = this.clock.toValue().left;
    }
    await this.refresh({ turn: live, spoken: true });
    if (live && this.isOver()) this.clock?.stop();
  }

  /** If it is the program's turn, it moves. */
  async nextTurn() {
    if (!this.isLive() || this.isOver() || this.programSearch.runs) return;
    const { side } = this.view;
    if (this.isPerson(side) || this.paused) {
      if (this.clock && !this.view.setup && this.live.parent) this.clock.run(side);
      return;
    }
    const node = this.live;
    const limit = this.limitOf(side);
    if (this.clock && !this.view.setup) this.clock.run(side);
    const alone = !this.isPerson("w") && !this.isPerson("b");
    const began = performance.now();
    const { threads, hash } = this.people[side];
    const request = { line: this.line(), limit, threads, hash, fresh: true, own_scores: this.own[side], offered: this.offered[side] };
    try {
      const search = this.programSearch.run(request);
      this.paint(true);
      const best = await search;
      if (best?.type === "error") throw new Refused(best.error);
      if (!best || this.live !== node) return;
      if (alone) await new Promise((resolve) => setTimeout(resolve, Math.max(0, PACE - (performance.now() - began))));
      if (this.live !== node || this.ending) return;
      await this.answer(side, best);
    } catch (error) {
      this.fault(error);
      this.paused = true;
    }
  }

  limitOf(side) {
    const { limit } = this.people[side];
    if (!this.clock) return limit.clock ? { time: 1000 } : limit;
    if (!limit.clock) return limit;
    const { increment } = this.clock;
    return { clock: { left: ["w", "b"].map((own) => Math.round(this.clock.of(own))), increment: [increment, increment] } };
  }

  /** The program has decided on its move. */
  async answer(side, best) {
    if (best.claims) return this.end({ how: "claimed", reason: best.claims });
    if (!best.move) return;
    if (this.tree.at !== this.live) this.tree.at = this.live;
    if (best.own !== null) this.own[side].push(best.own);
    const declined = this.offer === other(side);
    if (best.offers && !declined && this.isPerson(other(side))) {
      this.offer = side;
      this.offered[side] = this.own[side].length;
      note(texts.offered(side));
    }
    if (this.view.side !== side || !this.isLive()) await this.refresh({ still: true });
    await this.move(best.move, { score: best.score });
  }

  moveNow() {
    const people = this.isPerson("w") || this.isPerson("b");
    if (people && this.programSearch.runs) return this.programSearch.stop();
    this.paused = !people && !this.paused;
    if (this.paused) this.programSearch.cancel();
    this.tree.at = this.live;
    return this.refresh({ turn: true });
  }

  async end(ending) {
    this.ending = ending;
    this.offer = null;
    this.clock?.stop();
    this.programSearch.cancel();
    this.tree.at = this.live;
    await this.refresh();
    this.say(this.standing());
    note(this.standing());
  }

  /** Takes back the last move of a person, and what the program answered. */
  async takeBack() {
    if (!this.live.parent) return;
    this.programSearch.cancel();
    let step = this.live;
    const people = ["w", "b"].filter((side) => this.isPerson(side));
    while (step.parent && people.length && step.side && !people.includes(step.side)) step = step.parent;
    if (!step.parent) step = this.live;
    for (let own = this.live; own !== step.parent; own = own.parent) if (!this.isPerson(own.side)) this.own[own.side].pop();
    this.live = step.parent;
    this.live.children = this.live.children.filter((child) => child !== step);
    this.ending = this.offer = null;
    this.arranged = [];
    this.tree.at = this.live;
    if (this.clock) {
      const { base } = this.clock;
      this.clock.stop();
      this.clock.left = { ...(this.live.clock ?? { w: base, b: base }) };
    }
    await this.refresh({ turn: true });
    this.say(this.standing());
  }

  async hint() {
    const node = this.tree.at;
    const best = await this.hintSearch.run({ line: this.line(), limit: { nodes: 30000 }, fresh: true });
    if (!best?.move || node !== this.tree.at) return;
    const text = texts.hint(best.san, best.score?.text);
    const move = this.view.moves.find((own) => own.text === best.move);
    this.board.arrows([{ from: move?.from, to: move?.to, weight: 1, kind: "hint" }]);
    note(text);
    this.say(text);
  }

  async draw() {
    const { side, status } = this.view;
    if (status.claim) return this.end({ how: "claimed", reason: status.claim });
    if (this.offer && (this.offer !== side || this.isPerson(other(side)))) return this.end({ how: "agreed" });
    const against = other(side);
    if (this.isPerson(against)) {
      this.offer = side;
      this.paint(true);
      this.keep();
      return note(texts.offered(side));
    }
    const { answer, score } = await ask("draw", { limit: this.limitOf(against), own_scores: this.own[against] });
    if (answer === "accepts") return this.end({ how: "agreed" });
    const text = texts.declines[answer](against, score);
    note(text);
    this.say(text);
  }

  async resign() {
    if (!(await confirm(texts.confirm.resign))) return;
    const side = this.isPerson(this.view.side) ? this.view.side : other(this.view.side);
    await this.end({ how: "resigned", side });
  }

  /** The game goes on from the position that is looked at; what came behind it stays as a variation. */
  async playFromHere() {
    this.programSearch.cancel();
    this.live = this.tree.at;
    this.tree.promote(this.live);
    this.ending = this.offer = null;
    this.arranged = [];
    await this.refresh({ turn: true });
  }

  async playLine(moves) {
    const live = this.isLive() && !this.isOver();
    for (const text of moves) this.tree.play(text);
    if (live && this.isPerson("w") && this.isPerson("b")) this.live = this.tree.at;
    await this.refresh();
  }

  async go(node) {
    if (!node) return;
    this.tree.at = node;
    await this.guard(() => this.refresh());
  }

  step(direction) {
    const { at: node } = this.tree;
    return this.go(direction < 0 ? node.parent : node.children[0]);
  }

  promote(node) {
    this.tree.promote(node);
    this.paint(true);
    this.keep();
  }

  remove(node) {
    for (let own = this.live; own; own = own.parent) if (own === node) return;
    this.tree.remove(node);
    this.go(this.tree.at);
  }

  flip() {
    this.flipped = !this.flipped;
    this.board.setGame(this.game, this.flipped);
    this.paint(true);
    this.analysis.redraw();
    this.keep();
  }

  async toggleAnalysis() {
    this.analysis.toggle(this.line(), this.tree.at, this.standstill());
    if (!this.analysis.on) this.board.arrows([]);
    this.showActions();
    this.fit();
  }

  arrows(lines) {
    const arrows = lines.map(({ text, weight }) => {
      const move = this.view.moves.find((own) => own.text === text);
      return { from: move?.from, to: move?.to, weight };
    });
    this.board.arrows(arrows.reverse());
  }

  async newGame() {
    this.showSection("editor", false);
    this.showSection("inventor", false);
    const chosen = await chooseGame(this.games, this.variant);
    if (chosen) await this.guard(() => this.begin(chosen));
  }

  async openFiles() {
    this.showSection("editor", false);
    this.showSection("inventor", false);
    const act = await openFiles(this);
    if (act) await this.guard(act);
  }

  showAnalysisGraph() {
    if (!this.analysis.on) this.toggleAnalysis();
  }

  annotate(nodes) {
    return this.guard(() => annotate(this, nodes));
  }

  /** Shows a game that was read: `game` as the program gives it. */
  async load(game) {
    const name = (tag) => game.tags.find(([own]) => own === tag)?.[1] ?? "";
    const definition = game.variant === this.variant ? this.definition : null;
    await this.begin({ variant: game.variant, definition, fen: game.fen, players: { w: { kind: "person" }, b: { kind: "person" } }, tags: game.tags });
    this.tree.at = this.tree.addLine(this.tree.root, game.moves);
    this.tree.root.comment = game.comment;
    this.live = this.tree.at;
    await this.refresh({ still: true });
    if (game.result !== "*" && !this.view.status.over) {
      const loser = { "1-0": "b", "0-1": "w" }[game.result];
      this.ending = loser ? { how: "resigned", side: loser } : { how: "agreed" };
    }
    this.tree.at = this.tree.root;
    await this.refresh({ still: true });
    note(`${name("White")} – ${name("Black")} ${game.result}`);
  }

  /** The game as the program reads it for a file. */
  toFile() {
    const player = (side) => (this.isPerson(side) ? texts.player.person : texts.player.program(texts.strength(this.people[side].limit)));
    const has = (tag) => this.tags.some(([name]) => name === tag);
    const own = [["Date", new Date().toISOString().slice(0, 10).replaceAll("-", ".")], ["White", player("w")], ["Black", player("b")]];
    const tags = [...this.tags, ...own.filter(([name]) => !has(name))];
    const moves = this.tree.toLine();
    return { variant: this.variant, fen: this.fen, tags, comment: this.tree.root.comment, moves, result: this.result() };
  }

  /** Shows one of the sections in place of the game. */
  showSection(name, open) {
    at(name).hidden = !open;
    if (open) for (const other of ["editor", "inventor"]) if (other !== name) at(other).hidden = true;
    at("play").hidden = at("side").hidden = open;
  }

  showInventor(open) {
    this.showSection("inventor", open);
    if (open) this.guard(() => this.inventor.open());
    else this.fit();
  }

  async playInvented(definition, games) {
    this.showInventor(false);
    const players = { w: { kind: "person" }, b: { kind: "program", limit: { level: 3 } } };
    await this.guard(() => this.begin({ variant: games[0].name, definition, players }));
  }

  showEditor(open) {
    this.showSection("editor", open);
    if (open) this.guard(() => this.editor.open(this.game, this.view.fen));
    else this.fit();
  }

  async usePosition(fen, play) {
    this.showEditor(false);
    const players = play ? null : { w: { kind: "person" }, b: { kind: "person" } };
    await this.guard(() => this.begin({ variant: this.variant, definition: this.definition, fen, players }));
    if (!play && !this.analysis.on) this.toggleAnalysis();
  }

  openKept() {
    return dialog(texts.kept.heading, (close) => {
      const games = store.kept();
      const row = (game) => {
        const moves = game.live?.length ?? 0;
        const open = () => this.guard(async () => {
          const kept = await store.take(game.name);
          if (!kept) return note(texts.kept.elsewhere, "fault");
          close(null);
          return this.restore(kept);
        });
        const line = make("li", {}, make("span", { textContent: `${game.title} · ${moves} · ${game.result} · ${new Date(game.time).toLocaleString()}` }),
          button(texts.kept.open, open), button(texts.kept.remove, () => { store.forget(game.name); line.remove(); }));
        return line;
      };
      const list = games.length ? make("ul", { class: "kept" }, ...games.map(row)) : make("p", { textContent: texts.kept.empty });
      return [list, make("div", { class: "buttons" }, button(texts.dialog.close, () => close(null)))];
    });
  }

  openSettings() {
    const { settings } = texts;
    const set = (name) => (value) => {
      store.set(name, value);
      this.applySettings();
    };
    return dialog(settings.heading, (close) => [
      field(settings.style, select([["figures", settings.figures], ["tiles", settings.tiles]], this.style, set("style"))),
      field(settings.theme, select(Object.entries(settings.themes), store.setting("theme", "auto"), set("theme"))),
      field(settings.coordinates, make("input", { type: "checkbox", checked: store.setting("coordinates", true), onchange: (event) => set("coordinates")(event.target.checked) })),
      field(settings.animation, make("input", { type: "checkbox", checked: store.setting("animation", true), onchange: (event) => set("animation")(event.target.checked) })),
      make("div", { class: "buttons" }, button(texts.dialog.close, () => close(null), { class: "strong" })),
    ]);
  }

  applySettings() {
    const root = document.documentElement;
    root.dataset.theme = store.setting("theme", "auto");
    root.classList.toggle("plain", !store.setting("coordinates", true));
    root.classList.toggle("stiff", !store.setting("animation", true));
    this.style = store.setting("style", "figures");
    root.dataset.pieces = this.style;
    this.board.repaint();
    if (this.view) this.paint(true);
  }

  key(event) {
    const typing = event.target.closest?.("input, textarea, select, dialog, [role=grid]");
    if (typing || event.altKey || event.ctrlKey || event.metaKey || at("play").hidden) return;
    const keys = {
      ArrowLeft: () => this.step(-1), ArrowRight: () => this.step(1), Home: () => this.go(this.tree.root), End: () => this.go(this.tree.end(this.tree.at)),
      f: () => this.flip(), h: () => this.guard(() => this.hint()), a: () => this.toggleAnalysis(),
    };
    const act = keys[event.key];
    if (!act || !this.view) return;
    event.preventDefault();
    act();
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

  tick() {
    if (!this.clock || !this.view) return;
    for (const shown of Object.values(this.players)) {
      const left = this.clock.of(shown.side);
      const text = clockText(left);
      if (shown.clock.textContent !== text) shown.clock.textContent = text;
      shown.clock.classList.toggle("low", left < 20000);
    }
    const { side } = this.clock;
    if (side && !this.ending && this.clock.of(side) <= 0) this.guard(() => this.end({ how: "flagged", side }));
  }

  /** Makes the board as large as there is room for. */
  fit() {
    if (!at("editor").hidden) this.editor.fit();
    if (!at("inventor").hidden) this.inventor.fit();
    if (!this.game || at("play").hidden) return;
    const { files, ranks } = this.game;
    const table = at("table");
    const wide = matchMedia("(min-width: 50rem)").matches;
    const gauge = at("gauge").hidden ? 0 : at("gauge").offsetWidth + 6;
    const width = (wide ? at("play").clientWidth : document.body.clientWidth - 8) - gauge - 4;
    // What stands above and below the board at the same time; on a phone the rest may be scrolled to.
    const around = ["bar", "far", "near", ...(wide ? ["actions"] : [])].reduce((sum, id) => sum + at(id).offsetHeight, wide ? 28 : 12);
    const height = Math.max(innerHeight - around, 240);
    const cell = Math.max(20, Math.floor(Math.min(width / files, height / ranks, 96)));
    document.querySelector("main").style.setProperty("--cell", `${cell}px`);
    document.querySelector("main").style.setProperty("--files", files);
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
    this.pending = false;
    if (error instanceof Gone) note(texts.gone, "fault");
    else if (error instanceof Refused) {
      note(error.message, "fault");
      if (this.view && this.tree) this.paint(true);
    } else throw error;
  }
}

const app = new App();
window.garrison = app;
app.guard(() => app.start());
