// The addresses of pictures and of the page about a game, in the style and the colors that are chosen.

const look = () => document.documentElement.dataset;

/** The style of the pieces. */
export function style() {
  return look().pieces;
}

/** The address of the picture of a piece such as `wN`. */
export function pictureOf(variant, piece) {
  return `piece/${style()}/${encodeURIComponent(variant)}/${encodeURIComponent(piece)}.svg`;
}

/** Loads the pictures of all pieces of a game: one that appears later is shown at once as long as they are kept. */
export function loadPictures(variant, { pieces }) {
  const own = ({ letter, sides }) => ["w", "b"].filter((_, index) => sides[index]).map((side) => side + letter);
  return pieces.flatMap(own).map((piece) => Object.assign(new Image(), { src: pictureOf(variant, piece) }));
}

/** The address of the diagram of a piece's moves, in the colors of the page. */
export function movesOf(variant, piece) {
  const { theme } = look();
  const colors = theme === "auto" ? style() : `${style()}-${theme}`;
  return `moves/${colors}/${encodeURIComponent(variant)}/${encodeURIComponent(piece)}.svg`;
}

/** The address of the page about a game. */
export function rulesOf(variant) {
  return `rules/${style()}/${encodeURIComponent(variant)}.html`;
}
