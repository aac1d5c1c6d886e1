// Games and positions as text: load, save, annotate.

import { at, button, dialog, download, field, make, note } from "./dialog.js";
import { Search } from "./engine.js";
import { PEOPLE } from "./game.js";
import { style } from "./pictures.js";
import { Gone, Refused, ask } from "./server.js";
import { texts } from "./texts.js";

const annotation = new Search("annotation");

/** Opens the dialog; resolves to what is to be done then. */
export async function openFiles(app) {
  const words = texts.files;
  const { game } = app;
  const { fen } = game.view;
  const { pgn } = await ask("save", game.toFile());
  return dialog(words.heading, (close) => {
    const text = make("textarea", { rows: 5, spellcheck: false, placeholder: words.paste, id: "load-text" });
    const file = make("input", { type: "file", accept: ".pgn,.txt,.fen,text/plain", id: "load-file" });
    const fault = make("p", { class: "fault", role: "alert" });
    file.onchange = async () => {
      const [chosen] = file.files;
      if (chosen) text.value = await chosen.text();
    };
    const load = async () => {
      try {
        const act = await read(app, text.value);
        if (act) close(act);
      } catch (error) {
        if (!(error instanceof Refused || error instanceof Gone)) throw error;
        fault.textContent = error instanceof Gone ? texts.gone : error.message;
      }
    };
    const copy = (value) => async () => {
      await navigator.clipboard.writeText(value);
      note(words.copied);
    };
    const nodes = make("input", { type: "number", min: 100, max: 10000000, value: 20000, id: "annotate-nodes" });
    const save = () => download(pgn, "application/x-chess-pgn", `${game.variant}.pgn`);
    const exported = async () => {
      const { html } = await ask("export", { game: game.toFile(), line: game.tree.toLine(), style: style() });
      download(html, "text/html", `${game.variant}.html`);
    };
    const shown = (value, rows, id) => make("textarea", { readOnly: true, rows, value, id, spellcheck: false });
    return [
      make("h3", { textContent: words.load }), field(words.paste, text), field(words.file, file), fault,
      make("div", { class: "buttons" }, button(words.load, load, { class: "strong", id: "load" })),
      make("h3", { textContent: words.save }),
      field(words.fen, shown(fen, 2, "fen")), field(words.pgn, shown(pgn, 6, "pgn")),
      make("div", { class: "buttons" }, button(words.copyFen, copy(fen)), button(words.copyPgn, copy(pgn)),
        button(words.save, save, { id: "save" }), button(words.export, exported, { id: "export" })),
      make("h3", { textContent: words.annotate }), field(words.nodes, nodes),
      make("div", { class: "buttons" },
        button(words.annotate, () => close(() => annotate(app, Number(nodes.value) || 20000)), { id: "annotate" }),
        button(texts.dialog.close, () => close(null))),
    ];
  }, { className: "wide" });
}

/** Reads a text that is a FEN of the game that is played, or has games; resolves to what is to be done with it. */
async function read(app, text) {
  const words = texts.files;
  const { variant, definition } = app.game;
  const trimmed = text.trim();
  // A position is one line without tags; the moves of a game have no slash.
  if (!trimmed.includes("\n") && trimmed.includes("/") && !trimmed.startsWith("[") && !trimmed.startsWith("1")) {
    const { fen, faults } = await ask("edit", { variant, fen: trimmed });
    if (!fen) throw new Refused(faults.map((fault) => fault.text).join("; "));
    return () => app.begin({ variant, definition, fen, players: PEOPLE });
  }
  const { games, faults, more } = await ask("load", { text, variant });
  if (faults.length) note(words.faulty(faults.length, faults[0]), "fault");
  const game = games.length === 1 ? games[0] : await chooseOne(games, more);
  return game && (() => app.load(game));
}

function chooseOne(games, more) {
  const words = texts.files;
  const title = (game, index) => {
    const tag = (name) => game.tags.find(([own]) => own === name)?.[1] ?? words.untitled;
    return `${index + 1}. ${game.variant}: ${tag("White")} – ${tag("Black")} ${game.result}`;
  };
  return dialog(words.several, (close) => [
    make("p", { class: "quiet", textContent: words.read(games.length + more) }),
    make("div", { class: "buttons column scroll" }, ...games.map((game, index) => button(title(game, index), () => close(game)))),
  ]);
}

/** Annotates the game that is shown, in the background. */
async function annotate(app, nodes) {
  const words = texts.files;
  const { game } = app;
  const main = [game.tree.root, ...game.tree.main()];
  const bar = make("progress", { max: main.length, value: 0, "aria-label": words.annotate });
  const text = make("span");
  const line = make("p", { class: "note progress" }, text, bar, button(texts.action.stop, () => annotation.stop(), { class: "small" }));
  at("notes").append(line);
  try {
    const last = await annotation.run({ command: "annotate", game: game.toFile(), nodes }, (part) => {
      if (part.type !== "value") return;
      bar.value = part.index + 1;
      text.textContent = words.progress(part.index + 1, part.total);
      const node = main[part.index];
      if (node) node.score = { text: part.text, expected: part.expected };
      if (part.index % 8 === 0) app.analysis.redraw();
    });
    if (last?.type !== "done") return note(last?.error ?? words.stopped);
    last.game.moves.forEach(({ comment, nags }, index) => Object.assign(main[index + 1] ?? {}, { comment, nags }));
    game.tags = last.game.tags;
    if (!app.analysis.on) app.toggleAnalysis();
    app.paint(true);
    app.keep();
    const percent = (value) => (value === null ? "–" : value.toFixed(1));
    note(`${words.annotated} ${words.accuracy(...last.accuracy.map(percent))}`);
  } finally {
    line.remove();
  }
}
