// How the pieces of a game move, in a dialog, and the page about its rules in another tab.

import { button, dialog, make } from "./dialog.js";
import { movesOf, pictureOf, rulesOf } from "./pictures.js";
import { texts } from "./texts.js";

/** Shows how pieces of a game move: this one (`wN`), or all. */
export function openPieces(game, chosen) {
  const words = texts.learn;
  const pieces = game.description.pieces.filter(({ letter }) => !chosen || chosen.slice(1) === letter);
  const show = ({ letter, name, words: text, sides }) => {
    const piece = chosen ?? (sides[0] ? "w" : "b") + letter;
    const picture = make("img", { src: pictureOf(game.variant, piece), alt: "", width: 36, height: 36 });
    const moves = make("img", { src: movesOf(game.variant, piece), alt: "", class: "moves" });
    return make("section", { class: "piece-card" }, make("h3", {}, picture, ` ${name} (${letter})`), moves, make("p", { textContent: text }));
  };
  const all = (close) => () => {
    close(null);
    openPieces(game);
  };
  return dialog(chosen ? words.piece : words.pieces, (close) => [
    make("div", { class: "buttons" },
      chosen ? button(words.all, all(close), { id: "all-pieces" }) : null,
      button(words.rules, () => openRules(game), { id: "rules-of-pieces" }),
      button(texts.dialog.close, () => close(null))),
    make("div", { class: "piece-cards" }, ...pieces.map(show)),
  ], { className: chosen ? "" : "wide" });
}

/** Opens the page about a game. */
export function openRules(game) {
  window.open(rulesOf(game.variant), "_blank", "noopener");
}

/** A right click, a long touch or the menu key on a piece of the board or of a hand shows how it moves. */
export function explain({ game, players }, event) {
  const { square, kind } = event.target.closest("[data-square], [data-kind]")?.dataset ?? {};
  const bar = [players.near, players.far].find((own) => own.place.contains(event.target));
  const piece = kind ? bar.side + kind : game?.pieceOn(square);
  if (!piece) return;
  event.preventDefault();
  openPieces(game, piece);
}
