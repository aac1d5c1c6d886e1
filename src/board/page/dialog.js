// Dialogs, and small helpers that make elements.

import { texts } from "./texts.js";

/** The element of the page with this id. */
export const at = (id) => document.getElementById(id);

/** An element with properties, attributes (those with a dash, and `role`) and children. */
export function make(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (key === "class") made.className = value;
    else if (key.includes("-") || key === "role" || key === "for") made.setAttribute(key, value);
    else made[key] = value;
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

export function button(text, onclick, properties = {}) {
  return make("button", { type: "button", textContent: text, onclick, ...properties });
}

let labels = 0;

/** A form field with its label. */
export function field(label, input) {
  input.id ||= `field-${(labels += 1)}`;
  return make("div", { class: "field" }, make("label", { for: input.id, textContent: label }), input);
}

/** A list to choose from; `options` are pairs of value and text, or groups of them. */
export function select(options, value, onchange) {
  const option = ([key, text]) => make("option", { value: key, textContent: text });
  const list = make("select", { onchange: () => onchange?.(list.value) });
  for (const entry of options) {
    if (Array.isArray(entry)) list.append(option(entry));
    else if (entry.options.length) list.append(make("optgroup", { label: entry.label }, ...entry.options.map(option)));
  }
  list.value = value;
  return list;
}

/** Opens a dialog; resolves when it is closed, with what `close` was called with. */
export function dialog(heading, fill, { className = "" } = {}) {
  return new Promise((resolve) => {
    let answer = null;
    const title = make("h2", { textContent: heading, id: `dialog-${(labels += 1)}` });
    const box = make("dialog", { class: className, "aria-labelledby": title.id });
    const close = (value) => {
      answer = value;
      box.close();
    };
    box.append(title, ...fill(close, box));
    box.addEventListener("close", () => {
      box.remove();
      resolve(answer);
    });
    // A click beside the dialog closes it.
    box.addEventListener("pointerdown", (event) => {
      if (event.target !== box) return;
      const area = box.getBoundingClientRect();
      const inside = event.clientX >= area.left && event.clientX <= area.right && event.clientY >= area.top && event.clientY <= area.bottom;
      if (!inside) close(null);
    });
    document.body.append(box);
    box.showModal();
  });
}

/** Asks yes or no. */
export function confirm(text) {
  return dialog(text, (close) => [
    make("div", { class: "buttons" }, button(texts.dialog.ok, () => close(true), { class: "strong" }), button(texts.dialog.cancel, () => close(false))),
  ]);
}

/** Lets one of several pieces be chosen, each with its picture and name. */
export function choosePiece(heading, pieces) {
  return dialog(
    heading,
    (close) => [
      make(
        "div",
        { class: "choices" },
        ...pieces.map(({ value, kind, picture, name }) => {
          const properties = { type: "button", class: "choice", title: name, "data-kind": kind, onclick: () => close(value) };
          return make("button", properties, make("img", { src: picture, alt: "" }), make("span", { textContent: name }));
        }),
      ),
      make("div", { class: "buttons" }, button(texts.dialog.cancel, () => close(null))),
    ],
    { className: "choosing" },
  );
}

/** Shows a line for a while. */
export function note(text, kind = "") {
  const box = at("notes");
  const line = make("p", { class: `note ${kind}`, textContent: text, role: kind === "fault" ? "alert" : null });
  box.append(line);
  while (box.children.length > 4) box.firstChild.remove();
  const remove = () => line.remove();
  line.addEventListener("click", remove);
  setTimeout(remove, kind === "fault" ? 12000 : 7000);
}

/** Saves a text as a file of this name. */
export function download(text, type, name) {
  const link = make("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** Has a screen reader say a line. */
export function say(text) {
  at("says").textContent = text;
}
