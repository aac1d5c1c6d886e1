// The list of moves with variations.

import { button, make } from "./dialog.js";
import { texts } from "./texts.js";

/** Signs of the glyphs that rate a move. */
const SIGNS = { 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!" };

export class MoveList {
  /** `options`: onGo(node), onPromote(node), onRemove(node), figureOf(piece) → the address of a picture, or null. */
  constructor(place, options) {
    Object.assign(this, { place, options, buttons: new Map() });
    place.setAttribute("aria-label", texts.moves.heading);
  }

  show(tree) {
    this.buttons.clear();
    const list = make("div", { class: "movelist" });
    this.line(list, tree.root, true, true);
    if (!tree.root.children.length) list.append(make("p", { class: "quiet", textContent: texts.moves.empty }));
    if (tree.root.comment) list.prepend(make("p", { class: "comment", textContent: readable(tree.root.comment) }));
    this.place.replaceChildren(list);
    this.mark(tree);
  }

  /** The moves behind a node, in one line with variations in between. */
  line(place, from, numbered, main) {
    let step = from;
    let needsNumber = numbered;
    while (step.children.length) {
      const [next, ...others] = step.children;
      this.move(place, next, needsNumber, main);
      needsNumber = false;
      const comment = readable(next.comment);
      if (comment) {
        place.append(make("span", { class: "comment", textContent: comment }));
        needsNumber = true;
      }
      for (const other of others) {
        const box = make("div", { class: "variation", role: "group", "aria-label": texts.moves.variation });
        this.move(box, other, true, false);
        const note = readable(other.comment);
        if (note) box.append(make("span", { class: "comment", textContent: note }));
        this.line(box, other, Boolean(note), false);
        box.append(
          button("↑", () => this.options.onPromote(other), { class: "small", title: texts.moves.promote, "aria-label": texts.moves.promote }),
          button("×", () => this.options.onRemove(other), { class: "small", title: texts.moves.remove, "aria-label": texts.moves.remove }),
        );
        place.append(box);
        needsNumber = true;
      }
      step = next;
    }
  }

  move(place, node, needsNumber, main) {
    const { number, side } = node;
    if (number && (side === "w" || needsNumber)) {
      place.append(make("span", { class: "number", textContent: side === "w" ? `${number}.` : `${number}…` }));
    }
    const sign = node.nags.map((nag) => SIGNS[nag] ?? "").join("");
    const san = node.san ?? node.text;
    const rated = node.nags.map((nag) => `nag${nag}`).join(" ");
    const own = button("", () => this.options.onGo(node), { class: `move ${main ? "" : "side"} ${rated}`, "aria-label": san + sign });
    if (!number) own.append(`${texts.sides[side] ?? ""} `);
    // The letter of a piece at the beginning, and of what it becomes at the end, are shown as pictures.
    for (const part of number ? san.split(/^(\+?[A-Z])|(?<==)([A-Z])/) : [san]) {
      const picture = part && /^\+?[A-Z]$/.test(part) && this.options.figureOf((side ?? "w") + part);
      own.append(...(picture ? [make("img", { src: picture, alt: part, class: "figurine" })] : part ? [part] : []));
    }
    own.append(sign);
    if (node.event) own.title = node.event;
    this.buttons.set(node, own);
    place.append(own);
  }

  /** Marks the move that is looked at. */
  mark(tree) {
    for (const [node, own] of this.buttons) {
      const here = node === tree.at;
      own.classList.toggle("here", here);
      if (here) own.setAttribute("aria-current", "true");
      else own.removeAttribute("aria-current");
    }
    const here = this.buttons.get(tree.at);
    const { place } = this;
    if (!here) place.scrollTop = 0;
    else if (here.offsetTop < place.scrollTop || here.offsetTop + here.offsetHeight > place.scrollTop + place.clientHeight) {
      place.scrollTop = here.offsetTop - place.clientHeight / 2;
    }
  }
}

/** A comment without what is meant for programs. */
function readable(comment) {
  return (comment ?? "").replace(/\[%[^\]]*\]/g, "").trim();
}
