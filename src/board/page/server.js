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

/** A game as the program describes it: board, pieces, regions. `definition` is the text of one that was typed here, which
 *  the program may not know any more. */
export async function describe(variant, definition = null) {
  if (definition) await ask("define", { text: definition });
  const description = await ask("game", { variant });
  const names = new Map(description.pieces.map((piece) => [piece.letter, piece.name]));
  return { ...description, name: variant, names };
}
