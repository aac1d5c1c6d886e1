"use strict";
// Steps through the positions of the page; it knows no rule. Every node has the squares that changed.
(() => {
  const get = (id) => document.getElementById(id);
  const data = JSON.parse(get("data").textContent);
  const { nodes, files, ranks, square } = data;
  const pieces = new Map(data.pieces.map(([letter, symbol, name]) => [letter, { symbol, name }]));
  const links = new Map([...document.querySelectorAll("[data-n]")].map((link) => [+link.dataset.n, link]));
  const children = nodes.map(() => []);
  nodes.forEach((node, n) => {
    const before = node.p === undefined ? null : nodes[node.p];
    if (before) children[node.p].push(n);
    node.board = before ? before.board.slice() : Array(files * ranks).fill(".");
    (node.b || []).forEach(([at, letter]) => { node.board[at] = letter; });
    node.h = node.h || before.h;
  });
  let at = 0, turned = false, timer = 0, arrows = false;

  const make = (name, attributes) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
    return element;
  };
  const corner = (index) => {
    const [x, y] = data.origin[turned ? 1 : 0];
    let column = index % files, row = Math.floor(index / files);
    if (turned) { column = files - 1 - column; row = ranks - 1 - row; }
    return [x + column * square, y + row * square];
  };
  const lit = (name) => (index) => {
    const [x, y] = corner(index);
    return make("rect", { class: name, "fill-opacity": 0.45, x, y, width: square, height: square });
  };

  function hand(id, side) {
    const counts = new Map();
    for (const letter of nodes[at].h[side]) counts.set(letter, (counts.get(letter) || 0) + 1);
    get(id).replaceChildren(...[...counts].map(([letter, count]) => {
      const { symbol, name } = pieces.get(letter);
      const picture = make("svg", { class: "piece", viewBox: "0 0 100 100", role: "img", "aria-label": name });
      picture.append(make("use", { href: "#" + symbol }));
      const held = document.createElement("span");
      held.className = "held";
      held.append(picture, String(count));
      return held;
    }));
  }

  function draw() {
    const node = nodes[at];
    get("ground-white").toggleAttribute("hidden", turned);
    get("ground-black").toggleAttribute("hidden", !turned);
    get("ground-white").style.display = turned ? "none" : "";
    get("ground-black").style.display = turned ? "" : "none";
    get("lit").replaceChildren(...(node.m || []).map(lit("gb-last")), ...(node.k || []).map(lit("gb-check")));
    get("placed").replaceChildren(...node.board.flatMap((letter, index) => {
      if (letter === ".") return [];
      const [x, y] = corner(index), size = square - 10;
      return [make("use", { href: "#" + pieces.get(letter).symbol, x: x + 5, y: y + 5, width: size, height: size })];
    }));
    const middle = (index) => corner(index).map((value) => value + square / 2);
    const best = arrows ? node.a || [] : [];
    get("arrows").replaceChildren(...(best.length === 2 ? (() => {
      const [[x1, y1], [x2, y2]] = best.map(middle);
      return [make("line", { x1, y1, x2, y2, stroke: "#1f7a3d", "stroke-width": 14, "stroke-opacity": 0.75, "marker-end": "url(#head)" })];
    })() : best.map((index) => {
      const [cx, cy] = middle(index);
      return make("circle", { class: "gb-mark", fill: "none", "stroke-width": 7, cx, cy, r: 44 });
    })));
    hand(turned ? "hand-above" : "hand-below", 0);
    hand(turned ? "hand-below" : "hand-above", 1);
    const now = document.createElement("b");
    now.textContent = node.t;
    get("now").replaceChildren(now, node.e ? "  " + node.e[1] : "", node.c ? " — " + node.c : "");
    if (get("bar")) {
      if (node.e) get("bar").style.height = node.e[0] + "%";
      get("bar").parentNode.classList.toggle("turned", turned);
    }
    links.forEach((link, n) => { n === at ? link.setAttribute("aria-current", "true") : link.removeAttribute("aria-current"); });
    const link = links.get(at), list = get("moves");
    if (link && list.scrollHeight > list.clientHeight) {
      list.scrollTop = link.offsetTop - list.clientHeight / 2;
    }
    let main = at;
    while (nodes[main].i === undefined) main = nodes[main].p;
    const graph = get("graph");
    if (graph) {
      const x = 1000 * nodes[main].i / Math.max(1, graph.dataset.count - 1);
      get("cursor").setAttribute("d", `M${x} 0V200`);
    }
    get("run").setAttribute("aria-pressed", String(timer !== 0));
    get("best").setAttribute("aria-pressed", String(arrows));
  }

  function show(n) {
    if (!nodes[n]) return;
    at = n;
    if (location.hash !== "#" + n) history.replaceState(null, "", "#" + n);
    draw();
  }
  const next = () => (children[at].length ? children[at][0] : at);
  const back = () => (nodes[at].p === undefined ? at : nodes[at].p);
  function last() {
    let n = at;
    while (children[n].length) n = children[n][0];
    return n;
  }
  function stop() { clearInterval(timer); timer = 0; }
  function run() {
    if (timer) { stop(); return draw(); }
    timer = setInterval(() => {
      if (next() === at) stop();
      show(next());
    }, 1000);
    draw();
  }
  function flip() {
    turned = !turned;
    const [above, below] = [get("name-above"), get("name-below")];
    [above.textContent, below.textContent] = [below.textContent, above.textContent];
    draw();
  }
  const actions = {
    first: () => show(0), back: () => show(back()), next: () => show(next()), last: () => show(last()),
    run, flip, best: () => { arrows = !arrows; draw(); },
  };
  Object.entries(actions).forEach(([id, action]) => get(id).addEventListener("click", action));
  const keys = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last", f: "flip", b: "best", " ": "run" };
  document.addEventListener("keydown", (event) => {
    const isButton = event.target.tagName === "BUTTON" && event.key === " ";
    if (event.ctrlKey || event.metaKey || event.altKey || isButton || !keys[event.key]) return;
    event.preventDefault();
    actions[keys[event.key]]();
  });
  get("board").addEventListener("click", (event) => {
    const box = get("board").getBoundingClientRect();
    show(event.clientX - box.left < box.width / 3 ? back() : next());
  });
  if (get("graph")) {
    get("graph").addEventListener("click", (event) => {
      const box = get("graph").getBoundingClientRect();
      const place = Math.round((event.clientX - box.left) / box.width * (get("graph").dataset.count - 1));
      show(nodes.findIndex((node) => node.i === place));
    });
  }
  const fromAddress = () => show(nodes[+location.hash.slice(1)] ? +location.hash.slice(1) : 0);
  addEventListener("hashchange", fromAddress);
  // Children of a node: the move of the game comes before the variations that begin there.
  children.forEach((list) => list.sort((a, b) => (nodes[b].i !== undefined) - (nodes[a].i !== undefined) || a - b));
  fromAddress();
})();
