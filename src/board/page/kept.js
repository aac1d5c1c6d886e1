// The dialog of the games that the browser keeps.

import { button, dialog, make, note } from "./dialog.js";
import { Game } from "./game.js";
import { forget, kept, read, take } from "./store.js";
import { texts } from "./texts.js";

export function openKept(app) {
  const words = texts.kept;
  return dialog(words.heading, (close) => {
    // The tab takes a game over only when the program knows it: else it would keep another one in its place.
    const open = async (name) => {
      const value = read(name);
      const game = value && (await Game.fromValue(value));
      if (!game || !(await take(name))) return note(words.elsewhere, "fault");
      close(null);
      return app.show(game);
    };
    const row = ({ name, title, live = [], result, time }) => {
      const remove = () => {
        forget(name);
        line.remove();
      };
      const line = make("li", {}, make("span", { textContent: words.game(title, live.length, result, new Date(time)) }),
        button(words.open, () => app.guard(() => open(name))), button(words.remove, remove));
      return line;
    };
    const games = kept();
    const list = games.length ? make("ul", { class: "kept" }, ...games.map(row)) : make("p", { textContent: words.empty });
    return [list, make("div", { class: "buttons" }, button(texts.dialog.close, () => close(null)))];
  });
}
