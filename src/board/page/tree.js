// The moves of a game with their variations. A node is a ply; the root is the start.

/** A node behind its parent. The first child of a node goes on with its line. */
function node(parent, ply) {
  return { parent, children: [], comment: null, nags: [], score: null, ...ply };
}

export class Tree {
  constructor() {
    this.root = node(null, { text: null });
    this.at = this.root;
  }

  /** The nodes from the start to this one, without the root. */
  path(to = this.at) {
    const path = [];
    for (let step = to; step.parent; step = step.parent) path.push(step);
    return path.reverse();
  }

  /** The moves up to the position that is looked at. */
  texts(to = this.at) {
    return this.path(to).map((step) => step.text);
  }

  /** The node of a move, which is added if it is new; it is looked at from then on. */
  play(text) {
    let next = this.at.children.find((child) => child.text === text);
    if (!next) {
      next = node(this.at, { text });
      this.at.children.push(next);
    }
    this.at = next;
    return next;
  }

  /** The end of the line that begins here. */
  end(from = this.root) {
    let step = from;
    while (step.children.length) step = step.children[0];
    return step;
  }

  /** The nodes of the main line. */
  main() {
    return this.path(this.end());
  }

  /** Removes a node and what comes behind it. */
  remove(step) {
    const { parent } = step;
    parent.children = parent.children.filter((child) => child !== step);
    for (let own = this.at; own; own = own.parent) if (own === step) this.at = parent;
  }

  /** Makes the line of a node the main line. */
  promote(step) {
    for (let own = step; own.parent; own = own.parent) {
      const { children } = own.parent;
      children.splice(children.indexOf(own), 1);
      children.unshift(own);
    }
  }

  /** The line behind a node with its variations, each at the move in whose place it begins. */
  toLine(from = this.root) {
    const plain = ({ text, comment, nags, score }) => ({ text, comment, nags, score });
    const line = [];
    for (let step = from; step.children.length; step = step.children[0]) {
      const [next, ...others] = step.children;
      line.push({ ...plain(next), variations: others.map((other) => [plain(other), ...this.toLine(other)]) });
    }
    return line;
  }

  /** Adds a line behind a node, with its variations, as toLine makes it; returns its end. */
  addLine(from, line) {
    const parents = [];
    let step = from;
    for (const { text, comment, nags } of line) {
      parents.push(step);
      let next = step.children.find((child) => child.text === text);
      if (!next) step.children.push((next = node(step, { text })));
      next.comment ??= comment ?? null;
      if (!next.nags.length) next.nags = nags;
      step = next;
    }
    // The line comes first, so that it is the main line wherever a variation begins.
    line.forEach(({ variations = [] }, index) => variations.forEach((own) => this.addLine(parents[index], own)));
    return step;
  }

  /** As plain values, to be kept. */
  toValue() {
    const value = (step) => ({
      ...step,
      parent: undefined,
      children: step.children.map(value),
      at: step === this.at || undefined,
    });
    return value(this.root);
  }

  static fromValue(value) {
    const tree = new Tree();
    const read = (from, parent) => {
      const { children = [], at, ...ply } = from;
      const own = node(parent, ply);
      own.children = children.map((child) => read(child, own));
      if (at) tree.at = own;
      return own;
    };
    tree.at = null;
    tree.root = read(value, null);
    tree.at ??= tree.root;
    return tree;
  }
}
