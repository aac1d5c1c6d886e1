// The bars of the two players above and below the board: name, clock, hand.

import { clockText } from "./clock.js";
import { make } from "./dialog.js";
import { other } from "./game.js";
import { Hand } from "./hands.js";
import { texts } from "./texts.js";

/** With so little time left a clock is marked, in milliseconds. */
const LOW = 20000;

class Bar {
  constructor(place, board, options) {
    this.place = place;
    this.dot = make("span");
    this.name = make("span", { class: "name" });
    this.state = make("span", { class: "state" });
    this.clock = make("span", { class: "clock", role: "timer" });
    const hand = make("div");
    place.replaceChildren(make("div", { class: "who" }, this.dot, this.name, this.state, this.clock), hand);
    this.hand = new Hand(hand, board, options);
  }

  show(game, side, thinks) {
    const { view } = game;
    const isTurn = view.side === side;
    this.side = side;
    this.dot.className = `dot ${side}`;
    this.name.textContent = `${texts.sides[side]} · ${game.playerName(side)}`;
    this.place.classList.toggle("turn", !game.isOver() && isTurn);
    this.state.textContent = thinks && isTurn ? texts.thinking : "";
    this.clock.hidden = !game.clock;
    if (!game.description.has_hands) return this.hand.hide();
    const { fall } = game.tree.at;
    const gained = fall ? (fall.owner === side ? fall.owner_gets : fall.captor_gets) : [];
    return this.hand.show(side, view.hands[side === "w" ? 0 : 1], gained);
  }

  tick(clock) {
    const left = clock.of(this.side);
    const text = clockText(left);
    if (this.clock.textContent !== text) this.clock.textContent = text;
    this.clock.classList.toggle("low", left < LOW);
  }
}

export class Players {
  /** `far` and `near` are the places above and below; the rest as a hand has it. */
  constructor(far, near, board, options) {
    this.far = new Bar(far, board, options);
    this.near = new Bar(near, board, options);
  }

  /** `thinks` says whether the program searches for its move. */
  show(game, thinks) {
    const bottom = game.flipped ? "b" : "w";
    this.near.show(game, bottom, thinks);
    this.far.show(game, other(bottom), thinks);
  }

  /** Marks in the hands what is chosen. */
  mark(source) {
    this.far.hand.mark(source);
    this.near.hand.mark(source);
  }

  /** Shows what the sides have left. */
  tick(clock) {
    this.far.tick(clock);
    this.near.tick(clock);
  }
}
