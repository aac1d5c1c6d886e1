// Arrows over a board, for hints and for the lines of the analysis.

const SVG = "http://www.w3.org/2000/svg";

export class Arrows {
  /** Over a board that fills this element. */
  constructor(place) {
    this.drawing = document.createElementNS(SVG, "svg");
    this.drawing.setAttribute("class", "arrows");
    this.drawing.setAttribute("aria-hidden", "true");
    place.append(this.drawing);
  }

  resize({ files, ranks }) {
    this.drawing.setAttribute("viewBox", `0 0 ${files} ${ranks}`);
  }

  /** Shows arrows: `{from, to, weight}`, without a way a ring; `placeOf(square)` has column and row. */
  show(list, placeOf) {
    const middle = (square) => placeOf(square).map((own) => own + 0.5);
    const shape = ({ from, to, weight = 1, kind = "" }) => {
      const [x, y] = middle(to);
      const made = from && from !== to ? path(...middle(from), x, y, 0.08 + 0.07 * weight) : ring(x, y);
      made.setAttribute("class", `arrow ${kind}`);
      made.style.opacity = 0.35 + 0.5 * weight;
      return made;
    };
    this.drawing.replaceChildren(...list.filter(({ to }) => to).map(shape));
  }
}

function ring(x, y) {
  const made = document.createElementNS(SVG, "circle");
  for (const [name, value] of [["cx", x], ["cy", y], ["r", 0.42]]) made.setAttribute(name, value);
  return made;
}

/** An arrow that ends shortly before the middle of its target. */
function path(x1, y1, x2, y2, width) {
  const made = document.createElementNS(SVG, "path");
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const point = (along, across) => `${(x1 + ux * along - uy * across).toFixed(3)} ${(y1 + uy * along + ux * across).toFixed(3)}`;
  const head = Math.min(0.36, length * 0.42);
  const tip = length - 0.1;
  const w = width / 1.3;
  const outline = [[0.25, w], [tip - head, w], [tip - head, width * 2], [tip, 0], [tip - head, -width * 2], [tip - head, -w], [0.25, -w]];
  made.setAttribute("d", `M${outline.map(([along, across]) => point(along, across)).join("L")}Z`);
  return made;
}
