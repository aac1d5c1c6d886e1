// How the game stands, in words: one line for all, what has just happened, a draw that may be claimed, and the setup.

import { at, button, make, note, say } from "./dialog.js";
import { other } from "./game.js";
import { texts } from "./texts.js";

/** One line on how a game stands. */
export function standing(game) {
  const { view, ending } = game;
  if (ending && game.isLive()) return `${texts.results[game.result()]} · ${texts.endings[ending.how](ending)}`;
  if (view.status.over) return `${texts.results[view.status.result]} (${view.status.reason})`;
  if (view.setup) return texts.toSetUp(view.side);
  if (view.place) return texts.place(view.side, game.description.names.get(view.place));
  return view.check.length ? texts.inCheck(view.side) : texts.toMove(view.side);
}

/** Says the move that leads to the position that is looked at. */
export function announce(game) {
  const { side, san, event, check } = game.tree.at;
  const words = [texts.moved(side, san)];
  if (event) words.push(event);
  if (game.isOver()) words.push(standing(game));
  else if (check) words.push(texts.check);
  if (event) note(event);
  say(words.join(". "));
}

/** Shows how a game stands, and what has just happened in it. */
export function showStanding(game) {
  const { view, offer } = game;
  const { event } = game.tree.at;
  const lines = [make("p", { class: "state", textContent: standing(game) })];
  if (event) lines.push(make("p", { class: "event", textContent: event }));
  if (game.isLive() && !game.isOver()) {
    if (view.status.claim) lines.push(make("p", { textContent: texts.claimable(view.status.claim) }));
    if (offer) {
      const waits = game.isPerson("w") && game.isPerson("b") && view.side === offer;
      lines.push(make("p", { textContent: waits ? texts.waits(other(offer)) : texts.offered(offer) }));
    }
  }
  at("standing").replaceChildren(...lines);
}

/** Shows the buttons of a setup that a person makes. */
export function showSetup(app) {
  const { game, match } = app;
  const { setup, side } = game.view;
  const words = texts.setup;
  const place = at("setup");
  place.hidden = !setup || !game.mayMove();
  if (place.hidden) return;
  const act = (own) => () => app.guard(own);
  place.replaceChildren(
    make("h2", { textContent: words.heading(side) }),
    make("p", { textContent: words.help }),
    make("div", { class: "buttons" },
      button(words.done, act(() => match.move(setup.done)), { class: "strong", id: "setup-done" }),
      button(words.keep, act(() => match.move(setup.keep)), { id: "setup-keep" }),
      button(words.reset, act(() => match.resetSetup()), { id: "setup-reset", disabled: !game.arranged.length })),
  );
}
