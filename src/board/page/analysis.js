// The analysis of the position that is looked at: lines, arrows, the evaluation as a bar and, over the game, as a graph.

import { button, field, make, note, select } from "./dialog.js";
import { HASH_CHOICES, Search, threadChoices } from "./engine.js";
import { set, setting } from "./store.js";
import { texts } from "./texts.js";

const SVG = "http://www.w3.org/2000/svg";
/** A score of the analysis is remembered from this depth on. */
const DEPTH = 6;
const WIDTH = 300;
const HEIGHT = 60;

export class Analysis {
  /** `options`: onArrows(arrows), onPlay(moves), onGo(node), onScore(). */
  constructor(place, gauge, options) {
    Object.assign(this, { place, gauge, options, on: false, search: new Search("analysis"), lines: [] });
    const words = texts.analysis;
    const number = (name, fallback, choices) => {
      this[name] = setting(name, fallback);
      const list = select(choices.map((own) => [String(own), String(own)]), String(this[name]), (value) => {
        this[name] = Number(value);
        set(name, this[name]);
        this.restart();
      });
      return field(words[name], list);
    };
    this.status = make("p", { class: "quiet" });
    this.list = make("ol", { class: "lines" });
    place.setAttribute("aria-label", words.heading);
    this.chart = document.createElementNS(SVG, "svg");
    this.chart.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
    this.chart.setAttribute("preserveAspectRatio", "none");
    this.chart.setAttribute("class", "graph");
    this.chart.setAttribute("role", "img");
    this.chart.setAttribute("aria-label", words.graph);
    this.chart.addEventListener("click", (event) => this.clicked(event));
    place.append(
      make("div", { class: "options" }, number("lines_", 3, [1, 2, 3, 5, 8]), number("threads", 1, threadChoices()), number("hash", 64, HASH_CHOICES)),
      this.status, this.list, this.chart,
    );
  }

  toggle(game) {
    this.on = !this.on;
    this.place.hidden = this.gauge.hidden = !this.on;
    this.follow(game);
  }

  /** Another position of a game is looked at. */
  follow(game) {
    const line = game.line();
    const standstill = standstillOf(game.view);
    const { at: node } = game.tree;
    const isSame = this.key === JSON.stringify(line) && this.search.runs;
    this.key = JSON.stringify(line);
    Object.assign(this, { game, line, node, standstill });
    const score = standstill?.score ?? node.score;
    if (this.on && score) this.showGauge(score);
    if (!this.on || standstill) {
      this.search.cancel();
      this.list.replaceChildren();
      this.status.textContent = standstill?.why ?? "";
    } else if (!isSame) this.restart();
  }

  async restart() {
    if (!this.on || this.standstill || !this.line) return;
    this.found = [];
    this.list.replaceChildren();
    const { line, node } = this;
    try {
      await this.search.run({ line, limit: "endless", lines: this.lines_, threads: this.threads, hash: this.hash }, (part) => this.part(part, node));
    } catch (error) {
      this.status.textContent = error.message;
      note(error.message, "fault");
    }
  }

  part(part, node) {
    if (part.type === "error") return note(part.error, "fault");
    if (part.type !== "line" || node !== this.node) return;
    this.found[part.rank - 1] = part;
    if (part.rank === 1) {
      this.found.length = Math.max(1, this.found.length);
      this.showGauge(part.score);
      if (part.depth >= DEPTH) {
        node.score = { text: part.score.text, expected: part.score.expected };
        this.options.onScore();
        this.changed = true;
      }
    }
    // Many lines come at once: they are drawn once a frame.
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.draw();
    });
  }

  draw() {
    const words = texts.analysis;
    const lines = this.found.filter(Boolean);
    if (!this.on || !lines.length) return;
    const [best] = lines;
    this.status.textContent = `${words.depth(best.depth, best.seldepth)} · ${words.speed(texts.count(best.nodes), texts.count(best.nps))}`;
    const row = (line) => {
      const act = () => this.options.onPlay(line.moves.slice(0, 12));
      const first = () => this.options.onPlay(line.moves.slice(0, 1));
      return make("li", {},
        button(line.score.text, first, { class: "score", "aria-label": `${line.score.text} ${line.san[0]}` }),
        make("span", { class: "pv", textContent: line.san.slice(0, 12).join(" ") }),
        button("▸", act, { class: "small", title: words.play, "aria-label": words.play }));
    };
    // The list is not made anew while a button in it has the focus.
    if (!this.list.contains(document.activeElement)) this.list.replaceChildren(...lines.map(row));
    const spread = (line) => Math.max(0.15, 1 - 6 * Math.abs(best.score.expected - line.score.expected));
    const arrow = (line) => {
      const move = this.game.moveOf(line.moves[0]);
      return { from: move?.from, to: move?.to, weight: spread(line) };
    };
    // The arrow of the best line lies on top.
    this.options.onArrows(lines.map(arrow).reverse());
    if (this.changed) this.redraw();
    this.changed = false;
  }

  showGauge({ expected, text }) {
    this.gauge.firstElementChild.style.height = `${(expected * 100).toFixed(1)}%`;
    this.gauge.title = text;
    this.gauge.setAttribute("role", "img");
    this.gauge.setAttribute("aria-label", texts.analysis.gauge(text));
  }

  /** Draws the evaluation of the main line. */
  graph(tree) {
    this.tree = tree;
    this.redraw();
  }

  redraw() {
    if (!this.tree) return;
    const nodes = [this.tree.root, ...this.tree.main()];
    const known = nodes.map((node, index) => ({ node, index })).filter(({ node }) => node.score);
    this.chart.toggleAttribute("hidden", known.length < 2);
    this.nodes = nodes;
    if (known.length < 2) return;
    const x = (index) => ((index / Math.max(1, nodes.length - 1)) * WIDTH).toFixed(1);
    const y = (expected) => ((1 - expected) * HEIGHT).toFixed(1);
    const points = known.map(({ node, index }) => `${x(index)} ${y(node.score.expected)}`);
    const path = `M${points.join("L")}`;
    const shape = (name, values) => {
      const made = document.createElementNS(SVG, name);
      for (const [key, value] of Object.entries(values)) made.setAttribute(key, value);
      return made;
    };
    const first = known[0].index;
    const last = known[known.length - 1].index;
    const here = nodes.indexOf(this.tree.at);
    const marks = nodes.flatMap((node, index) => (node.nags?.includes(4) || node.nags?.includes(2)) && node.score
      ? [shape("circle", { cx: x(index), cy: y(node.score.expected), r: 2.5, class: node.nags.includes(4) ? "blunder" : "mistake" })] : []);
    this.chart.replaceChildren(
      shape("rect", { width: WIDTH, height: HEIGHT, class: "black" }),
      shape("path", { d: `${path}L${x(last)} ${HEIGHT}L${x(first)} ${HEIGHT}Z`, class: "white" }),
      shape("path", { d: `M0 ${HEIGHT / 2}H${WIDTH}`, class: "middle" }),
      shape("path", { d: path, class: "curve" }),
      ...marks,
      ...(here >= 0 ? [shape("path", { d: `M${x(here)} 0V${HEIGHT}`, class: "here" })] : []),
    );
  }

  clicked(event) {
    const box = this.chart.getBoundingClientRect();
    const share = (event.clientX - box.left) / box.width;
    this.options.onGo(this.nodes[Math.round(share * (this.nodes.length - 1))]);
  }
}

/** Why there is nothing to analyze in a position, with its score, which is known if the game is over; or null. */
function standstillOf({ status, setup }) {
  const words = texts.analysis;
  if (status.over) return { why: words.over, score: { text: status.result, expected: { "1-0": 1, "0-1": 0 }[status.result] ?? 0.5 } };
  return setup ? { why: words.setup, score: { text: "", expected: 0.5 } } : null;
}
