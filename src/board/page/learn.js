// How the pieces of a game move, in a dialog, and the page about its rules in another tab.

import { button, dialog, make } from "./dialog.js";
import { movesOf, pictureOf, rulesOf } from "./server.js";
import { texts } from "./texts.js";

/** Shows how pieces move: this one (`wN`), or all of the game. */
export function openPieces(app, chosen) {
  const words = texts.learn;
  const pieces = app.game.pieces.filter(({ letter }) => !chosen || chosen.slice(1) === letter);
  const show = ({ letter, name, words: text, sides }) => {
    const piece = chosen ?? (sides[0] ? "w" : "b") + letter;
    const picture = make("img", { src: pictureOf(app.style, app.variant, piece), alt: "", width: 36, height: 36 });
    const moves = make("img", { src: movesOf(app.style, app.variant, piece), alt: "", class: "moves" });
    return make("section", { class: "piece-card" }, make("h3", {}, picture, ` ${name} (${letter})`), moves, make("p", { textContent: text }));
  };
  return dialog(chosen ? words.piece : words.pieces, (close) => [
    make("div", { class: "buttons" },
      chosen ? button(words.all, () => { close(null); openPieces(app); }, { id: "all-pieces" }) : null,
      button(words.rules, () => openRules(app), { id: "rules-of-pieces" }),
      button(texts.dialog.close, () => close(null))),
    make("div", { class: "piece-cards" }, ...pieces.map(show)),
  ], { className: chosen ? "" : "wide" });
}

/** Opens the page about the game that is played. */
export function openRules(app) {
  window.open(rulesOf(app.style, app.variant), "_blank", "noopener");
}
