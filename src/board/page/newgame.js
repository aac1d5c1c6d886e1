// The dialog for a new game: which game, which armies, who plays, how strong, with which clock.

import { button, dialog, field, make, note, select } from "./dialog.js";
import { HASH_CHOICES, threadChoices } from "./engine.js";
import { set, setting } from "./store.js";
import { texts } from "./texts.js";

/** The highest level of play. */
const LEVELS = 10;
const RANDOM = "*";
const SECRET = "?";

/** One entry for each game; games that differ in their armies are one. */
function families(games) {
  const groups = { own: new Map(), first: new Map(), reference: new Map() };
  for (const game of games) {
    const key = game.armies ? `family:${game.family}` : game.name;
    if (!groups[game.group].has(key)) groups[game.group].set(key, { title: game.armies ? game.family_title : game.title, games: [] });
    groups[game.group].get(key).games.push(game);
  }
  return groups;
}

/** The armies that a side may have in some games, as pairs of key and name. */
function armies(games, index) {
  return [...new Map(games.map((game) => [game.armies[index].key, game.armies[index].name]))];
}

function chance(list) {
  return list[crypto.getRandomValues(new Uint32Array(1))[0] % list.length];
}

/** Resolves to what is to be played, or null. */
export async function chooseGame(games, current) {
  const words = texts.newGame;
  const groups = families(games);
  const entries = new Map(Object.values(groups).flatMap((group) => [...group]));
  const last = setting("newGame", {});
  const currentEntry = [...entries].find(([, entry]) => entry.games.some((game) => game.name === current))?.[0];
  const kept = (name, fallback) => last[name] ?? fallback;
  const chosen = await dialog(words.heading, (close) => {
    const titles = (group) => [...group].map(([key, entry]) => [key, entry.title]);
    const options = Object.entries(groups).map(([name, group]) => ({ label: words[name], options: titles(group) }));
    const game = select(options, currentEntry ?? entries.keys().next().value, () => update());
    const inventor = make("p", { class: "quiet" });
    const forArmies = make("div", { class: "pair" });
    const armyLists = [];
    const kinds = [["person", words.person], ["program", words.program]];
    const players = ["w", "b"].map((side, index) => select(kinds, kept(side, kinds[index][0]), () => update()));
    const kind = select(Object.entries(words.kind), kept("kind", "level"), () => update());
    const level = make("input", { type: "range", min: 1, max: LEVELS, value: kept("level", 3), oninput: () => update() });
    const levelText = make("output", { class: "quiet" });
    const number = (name, fallback, max) => make("input", { type: "number", min: 0, max, step: "any", value: kept(name, fallback), inputMode: "decimal" });
    const [perMove, minutes, increment] = [number("perMove", 2, 3600), number("minutes", 10, 600), number("increment", 5, 600)];
    const fen = make("input", { type: "text", spellcheck: false, autocomplete: "off" });
    const choices = (numbers, value) => select(numbers.map((own) => [String(own), String(own)]), String(value));
    const threads = choices(threadChoices(), kept("threads", 1));
    const hash = choices(HASH_CHOICES, kept("hash", 64));
    hash.id = "new-hash";
    const rows = {
      level: make("div", {}, field(words.level, level), levelText), time: field(words.perMove, perMove),
      clock: make("div", { class: "pair" }, field(words.minutes, minutes), field(words.increment, increment)),
      effort: make("div", { class: "pair" }, field(words.threads, threads), field(words.hash, hash)),
    };
    const update = () => {
      const entry = entries.get(game.value);
      const first = entry.games[0];
      inventor.textContent = `${first.files} × ${first.ranks}${first.inventor ? ` · ${words.by} ${first.inventor}` : ""}`;
      forArmies.hidden = !first.armies;
      if (first.armies && forArmies.dataset.game !== game.value) {
        armyLists.length = 0;
        const lists = ["w", "b"].map((side, index) => {
          const shown = entry.games.find((own) => own.name === current) ?? first;
          const list = select([...armies(entry.games, index), [RANDOM, words.random], [SECRET, words.hidden]], shown.armies[index].key);
          armyLists.push(list);
          return field(words.army(side), list);
        });
        forArmies.replaceChildren(...lists);
        forArmies.dataset.game = game.value;
      }
      const program = players.some((list) => list.value === "program");
      rows.level.hidden = kind.value !== "level" || !program;
      rows.time.hidden = kind.value !== "time" || !program;
      rows.clock.hidden = kind.value !== "clock";
      rows.effort.hidden = !program;
      levelText.textContent = words.levelOf(level.value, LEVELS);
    };
    const begin = () => {
      const numbers = Object.entries({ level, perMove, minutes, increment, threads, hash }).map(([name, { value: own }]) => [name, Number(own)]);
      const value = { w: players[0].value, b: players[1].value, kind: kind.value, ...Object.fromEntries(numbers) };
      set("newGame", value);
      close({ ...value, entry: entries.get(game.value), armies: forArmies.hidden ? null : armyLists.map((list) => list.value), fen: fen.value.trim() || null });
    };
    update();
    return [
      field(words.game, game), inventor, forArmies,
      make("div", { class: "pair" }, field(texts.sides.w, players[0]), field(texts.sides.b, players[1])),
      field(words.levels, kind), rows.level, rows.time, rows.clock,
      make("details", {}, make("summary", { textContent: words.more }), rows.effort, field(words.fen, fen)),
      make("div", { class: "buttons" }, button(words.begin, begin, { class: "strong", id: "begin" }), button(texts.dialog.cancel, () => close(null))),
    ];
  });
  if (!chosen) return null;
  const variant = await variantOf(chosen);
  if (!variant) return null;
  const limits = { level: { level: chosen.level }, time: { time: Math.max(1, Math.round(chosen.perMove * 1000)) }, clock: { clock: true } };
  const { threads, hash } = chosen;
  const player = (side) => (chosen[side] === "person" ? { kind: "person" } : { kind: "program", limit: limits[chosen.kind], threads, hash });
  const clock = chosen.kind === "clock" ? { base: Math.max(1000, chosen.minutes * 60000), increment: Math.max(0, chosen.increment * 1000) } : null;
  return { variant, fen: chosen.fen, players: { w: player("w"), b: player("b") }, clock };
}

/** The game with the armies that were named, or that chance or the players choose now. */
async function variantOf({ entry, armies: keys, w, b }) {
  if (!keys) return entry.games[0].name;
  const decided = [];
  for (const [index, key] of keys.entries()) {
    const all = armies(entry.games, index);
    if (key === SECRET && [w, b][index] === "person") {
      const own = await chooseInSecret("wb"[index], all);
      if (!own) return null;
      decided.push(own);
    } else decided.push(key === RANDOM || key === SECRET ? chance(all)[0] : key);
  }
  const game = entry.games.find((own) => own.armies.every((army, index) => army.key === decided[index]));
  if (keys.some((key) => key === SECRET || key === RANDOM)) note(texts.newGame.revealed(game.armies[0].name, game.armies[1].name));
  return game?.name ?? null;
}

/** A player chooses an army; nothing on the screen shows which, once it is done. */
function chooseInSecret(side, all) {
  return dialog(texts.newGame.secret(side), (close) => [
    make("div", { class: "buttons column" }, ...all.map(([key, name]) => button(name, () => close(key)))),
  ]);
}
