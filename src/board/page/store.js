// The games that the browser keeps. Each tab has one game of its own; a tab that is opened anew goes on with the game that
// was played last and that no other tab has.

const PREFIX = "garrison.game.";
const MOST = 30;

let own = null;
/** The games that this tab has a right to. */
const claimed = new Set();

/** A random name, for a game or a tab. */
export function newName() {
  return [...crypto.getRandomValues(new Uint8Array(9))].map((byte) => byte.toString(36)).join("");
}

/** Whether this tab may have a game; it keeps the right to it until it is closed. */
async function claim(name) {
  if (!navigator.locks || claimed.has(name)) return true;
  return new Promise((resolve) => {
    navigator.locks.request(PREFIX + name, { ifAvailable: true }, (lock) => {
      if (lock) claimed.add(name);
      resolve(lock !== null);
      // The lock is held as long as this promise is open: until the tab is closed.
      return lock && new Promise(() => {});
    });
  });
}

/** A kept game, or null. */
export function read(name) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + name));
  } catch {
    return null;
  }
}

function names() {
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(PREFIX))
    .map((key) => key.slice(PREFIX.length));
}

/** All kept games, the one played last first. */
export function kept() {
  const games = names().map((name) => ({ name, ...read(name) }));
  return games.filter((game) => game.variant).sort((a, b) => b.time - a.time);
}

/** The game of this tab, or one that waits for a tab. */
export async function resume() {
  const last = sessionStorage.getItem("garrison.tab");
  for (const name of [last, ...kept().map((game) => game.name)]) {
    const game = name && read(name);
    if (game && (await take(name))) return game;
  }
  return null;
}

/** From now on this tab keeps a new game. */
export async function begin() {
  await take(newName());
}

/** From now on this tab keeps this game, if no other tab has it; returns whether it does. */
export async function take(name) {
  if (!(await claim(name))) return false;
  own = name;
  sessionStorage.setItem("garrison.tab", name);
  return true;
}

export function forget(name) {
  localStorage.removeItem(PREFIX + name);
}

/** Keeps the game of this tab; returns whether the browser could. */
export function keep(game) {
  if (!own) return true;
  const text = JSON.stringify({ ...game, time: Date.now() });
  for (;;) {
    try {
      const old = kept().filter((other) => other.name !== own);
      old.slice(MOST - 1).forEach((other) => forget(other.name));
      localStorage.setItem(PREFIX + own, text);
      return true;
    } catch {
      // The browser's room is used up: the oldest games make some.
      const oldest = kept().filter((other) => other.name !== own).pop();
      if (!oldest) return false;
      forget(oldest.name);
    }
  }
}

/** A setting of all tabs. */
export function setting(name, fallback) {
  try {
    return JSON.parse(localStorage.getItem(`garrison.${name}`)) ?? fallback;
  } catch {
    return fallback;
  }
}

export function set(name, value) {
  try {
    localStorage.setItem(`garrison.${name}`, JSON.stringify(value));
  } catch {
    // It is asked for again next time.
  }
}
