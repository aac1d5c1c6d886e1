// The settings of the page, which hold for all tabs: the dialog, and what follows from them.

import { button, dialog, field, make, select } from "./dialog.js";
import { set, setting } from "./store.js";
import { texts } from "./texts.js";

/** Each setting with its value where nothing was chosen. */
const DEFAULTS = { style: "figures", theme: "auto", coordinates: true, animation: true };

const chosen = (name) => setting(name, DEFAULTS[name]);

/** Gives the page the look that is chosen. */
export function applySettings() {
  const root = document.documentElement;
  root.dataset.theme = chosen("theme");
  root.dataset.pieces = chosen("style");
  root.classList.toggle("plain", !chosen("coordinates"));
  root.classList.toggle("stiff", !chosen("animation"));
}

/** Opens the dialog; `onChange` is called when the page has another look. */
export function openSettings(onChange) {
  const words = texts.settings;
  const change = (name) => (value) => {
    set(name, value);
    applySettings();
    onChange();
  };
  const list = (name, options) => field(words[name], select(options, chosen(name), change(name)));
  const box = (name) => field(words[name], make("input", { type: "checkbox", checked: chosen(name), onchange: ({ target }) => change(name)(target.checked) }));
  return dialog(words.heading, (close) => [
    list("style", Object.entries(words.styles)), list("theme", Object.entries(words.themes)), box("coordinates"), box("animation"),
    make("div", { class: "buttons" }, button(texts.dialog.close, () => close(null), { class: "strong" })),
  ]);
}
