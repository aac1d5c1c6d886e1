// A game clock: what each side has left, and since when it runs for one of them.

export class Clock {
  /** `base` and `increment` in milliseconds. */
  constructor({ base, increment, left = { w: base, b: base } }) {
    Object.assign(this, { base, increment, left: { ...left }, side: null, since: 0 });
  }

  now() {
    return performance.now();
  }

  /** What a side has left now. */
  of(side) {
    const gone = side === this.side ? this.now() - this.since : 0;
    return Math.max(0, this.left[side] - gone);
  }

  run(side) {
    this.stop();
    this.side = side;
    this.since = this.now();
  }

  stop() {
    if (this.side) this.left[this.side] = this.of(this.side);
    this.side = null;
  }

  /** A side has moved: it gets its increment, and the time of the next one runs. */
  moved(side, next) {
    this.stop();
    this.left[side] += this.increment;
    this.run(next);
  }

  /** Stops with what the sides had left earlier; without that, with all they had. */
  set(left = { w: this.base, b: this.base }) {
    this.stop();
    this.left = { ...left };
  }

  toValue() {
    const { base, increment } = this;
    return { base, increment, left: { w: this.of("w"), b: this.of("b") } };
  }
}

/** Minutes and seconds, and tenths when there are few. */
export function clockText(milliseconds) {
  const seconds = milliseconds / 1000;
  const whole = Math.floor(seconds);
  const two = (number) => String(number).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  const text = `${hours ? `${hours}:${two(Math.floor(whole / 60) % 60)}` : Math.floor(whole / 60)}:${two(whole % 60)}`;
  return whole < 20 ? `${text}.${Math.floor((seconds - whole) * 10)}` : text;
}
