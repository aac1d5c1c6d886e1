// The menu, the buttons and the keys: what may be done, and when.

import { at, button } from "./dialog.js";
import { openKept } from "./kept.js";
import { openPieces, openRules } from "./learn.js";
import { texts } from "./texts.js";

/** Steps through the moves: sign, key, and the node to which one leads. */
const STEPS = {
  first: { sign: "«", key: "Home", to: (tree) => tree.root },
  previous: { sign: "‹", key: "ArrowLeft", to: (tree) => tree.at.parent },
  next: { sign: "›", key: "ArrowRight", to: (tree) => tree.at.children[0] },
  last: { sign: "»", key: "End", to: (tree) => tree.end(tree.at) },
};

export class Controls {
  /** `app` does what is asked for. */
  constructor(app) {
    this.app = app;
    this.buildMenu();
    this.buildActions();
    this.buildSteps();
    window.addEventListener("keydown", (event) => this.key(event));
  }

  buildMenu() {
    const { app } = this;
    const { menu } = texts;
    const acts = {
      new: () => app.newGame(), files: () => app.openFiles(), edit: () => app.sections.openEditor(), invent: () => app.sections.openInventor(),
      pieces: () => openPieces(app.game), rules: () => openRules(app.game), kept: () => openKept(app), settings: () => app.openSettings(),
    };
    const open = at("open-menu");
    open.textContent = menu.open;
    open.onclick = () => open.setAttribute("aria-expanded", String(at("menu").classList.toggle("open")));
    at("menu").addEventListener("click", () => {
      at("menu").classList.remove("open");
      open.setAttribute("aria-expanded", "false");
    });
    at("menu").append(...Object.entries(acts).map(([name, act]) => button(menu[name], act, { id: name })));
  }

  buildActions() {
    const { app, app: { match } } = this;
    const acts = {
      back: () => match.takeBack(), hint: () => match.hint(), draw: () => match.draw(), resign: () => match.resign(), pass: () => match.pass(),
      go: () => match.moveNow(), switch: () => match.playFromHere(), flip: () => app.flip(), analysis: () => app.toggleAnalysis(),
    };
    const build = ([name, act]) => [name, button(texts.action[name], () => app.guard(act), { id: `do-${name}` })];
    this.actions = Object.fromEntries(Object.entries(acts).map(build));
    at("actions").setAttribute("aria-label", texts.action.heading);
    at("actions").append(...Object.values(this.actions));
  }

  buildSteps() {
    const build = ([name, { sign, to }]) => button(sign, () => this.step(to), { id: `step-${name}`, title: texts.step[name], "aria-label": texts.step[name] });
    at("steps").setAttribute("aria-label", texts.moves.heading);
    at("steps").append(...Object.entries(STEPS).map(build));
  }

  step(to) {
    return this.app.go(to(this.app.game.tree));
  }

  key(event) {
    const { app } = this;
    const typing = event.target.closest?.("input, textarea, select, dialog, [role=grid]");
    if (typing || event.altKey || event.ctrlKey || event.metaKey || at("play").hidden || !app.game) return;
    const acts = { f: () => app.flip(), h: () => app.guard(() => app.match.hint()), a: () => app.toggleAnalysis() };
    const step = Object.values(STEPS).find(({ key }) => key === event.key);
    const act = step ? () => this.step(step.to) : acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  /** Shows which actions there are now. */
  show(game) {
    const { match, analysis } = this.app;
    const { back, hint, resign, pass } = this.actions;
    back.disabled = !game.live.parent;
    hint.disabled = game.isOver() || match.thinks;
    resign.hidden = !game.hasPerson();
    resign.disabled = game.isOver() || !game.isLive();
    pass.hidden = !game.mayMove() || game.view.moves.every((move) => move.to);
    this.actions.switch.hidden = game.isLive();
    this.actions.analysis.setAttribute("aria-pressed", String(analysis.on));
    this.showDraw(game);
    this.showGo(game, match.paused);
  }

  /** The button of draws claims one, or accepts one, or offers one. */
  showDraw(game) {
    const { action } = texts;
    const { draw } = this.actions;
    const { side, setup, status } = game.view;
    const accepts = game.mayAccept();
    const mayAct = !game.isOver() && game.isLive() && game.isPerson(side) && !setup;
    draw.textContent = status.claim ? action.claim : accepts ? action.accept : action.draw;
    draw.hidden = !game.hasPerson();
    draw.disabled = !mayAct || (game.offer === side && !accepts);
  }

  /** The button that ends the program's search; where only programs play, it halts them. */
  showGo(game, paused) {
    const { action } = texts;
    const { go } = this.actions;
    const waits = !game.isOver() && game.isLive() && !game.isPerson(game.view.side);
    go.hidden = game.hasPerson() && !waits;
    go.textContent = game.hasPerson() ? action.go : paused ? action.resume : action.stop;
    go.disabled = game.isOver();
  }
}
