// What the page asks of the program: values in, values out.

/** An answer that says why something cannot be done. */
export class Refused extends Error {}

/** The program does not answer: it was ended, or started anew under another address. */
export class Gone extends Error {}

async function post(name, value, signal) {
  let answer;
  try {
    answer = await fetch(`api/${name}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(value),
      signal,
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Gone(String(error));
  }
  if (answer.ok) return answer;
  if (answer.status === 404 || answer.status === 403) throw new Gone(String(answer.status));
  let text = answer.statusText;
  try {
    text = (await answer.json()).error ?? text;
  } catch {
    // It was no JSON; the status must do.
  }
  throw new Refused(text);
}

/** One answer to one command. */
export async function ask(name, value = {}) {
  const answer = await post(name, value);
  return answer.json();
}

/** A command that is answered in parts; `onPart` gets each. Ends early when `signal` aborts. */
export async function follow(name, value, signal, onPart) {
  const answer = await post(name, value, signal);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    let part;
    try {
      part = await reader.read();
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new Gone(String(error));
    }
    if (part.done) return;
    text += part.value;
    const lines = text.split("\n");
    text = lines.pop();
    for (const line of lines) if (line.trim()) onPart(JSON.parse(line));
  }
}

/** The address of the picture of a piece such as `wN`. */
export function pictureOf(style, game, piece) {
  return `piece/${style}/${encodeURIComponent(game)}/${encodeURIComponent(piece)}.svg`;
}

/** The address of the diagram of a piece's moves, in the colors of the page. */
export function movesOf(style, game, piece) {
  const theme = document.documentElement.dataset.theme ?? "auto";
  const look = ["light", "dark"].includes(theme) ? `${style}-${theme}` : style;
  return `moves/${look}/${encodeURIComponent(game)}/${encodeURIComponent(piece)}.svg`;
}

/** The address of the page about a game. */
export function rulesOf(style, game) {
  return `rules/${style}/${encodeURIComponent(game)}.html`;
}
