// The parts of the page of which one is shown at a time: the game, the editor of positions, the editor of definitions.

import { at } from "./dialog.js";
import { Editor } from "./editor.js";
import { PEOPLE } from "./game.js";
import { Inventor } from "./inventor.js";
import { pictureOf } from "./pictures.js";

/** A page so wide has the moves beside the board. */
const WIDE = "(min-width: 50rem)";

export class Sections {
  /** `app` has the game, and begins another. */
  constructor(app) {
    this.app = app;
    this.editor = new Editor(at("editor"), {
      leave: () => this.showPlay(),
      use: (fen, play) => this.usePosition(fen, play),
      nameOf: (piece) => app.game.nameOf(piece),
      pictureOf: (piece) => pictureOf(app.game.variant, piece),
    });
    this.inventor = new Inventor(at("inventor"), {
      leave: () => this.showPlay(),
      play: (definition, games) => this.playInvented(definition, games),
    });
    new ResizeObserver(() => this.fit()).observe(document.body);
  }

  show(name) {
    at("editor").hidden = name !== "editor";
    at("inventor").hidden = name !== "inventor";
    at("play").hidden = at("side").hidden = name !== "play";
  }

  showPlay() {
    this.show("play");
    this.fit();
  }

  openEditor() {
    const { game } = this.app;
    this.show("editor");
    return this.app.guard(() => this.editor.open(game.description, game.view.fen));
  }

  openInventor() {
    this.show("inventor");
    return this.app.guard(() => this.inventor.open());
  }

  /** Plays or analyzes a position that was put together. */
  async usePosition(fen, play) {
    const { app, app: { game } } = this;
    const players = play ? undefined : PEOPLE;
    this.showPlay();
    await app.guard(() => app.begin({ variant: game.variant, definition: game.definition, fen, players }));
    if (!play && !app.analysis.on) app.toggleAnalysis();
  }

  playInvented(definition, games) {
    this.showPlay();
    return this.app.guard(() => this.app.begin({ variant: games[0].name, definition }));
  }

  /** Makes the board that is shown as large as there is room for. */
  fit() {
    if (!at("editor").hidden) this.editor.fit();
    else if (!at("inventor").hidden) this.inventor.fit();
    else if (this.app.game) fitPlay(this.app.game.description);
  }
}

function fitPlay({ files, ranks }) {
  const main = document.querySelector("main");
  const isWide = matchMedia(WIDE).matches;
  const gauge = at("gauge").hidden ? 0 : at("gauge").offsetWidth + 6;
  const width = (isWide ? at("play").clientWidth : document.body.clientWidth - 8) - gauge - 4;
  // What stands above and below the board at the same time; on a phone the rest may be scrolled to.
  const around = ["bar", "far", "near", ...(isWide ? ["actions"] : [])].reduce((sum, id) => sum + at(id).offsetHeight, isWide ? 28 : 12);
  const height = Math.max(innerHeight - around, 240);
  const cell = Math.max(20, Math.floor(Math.min(width / files, height / ranks, 96)));
  main.style.setProperty("--cell", `${cell}px`);
  main.style.setProperty("--files", files);
}
