// Searches of the program: for its own moves, for hints, for analysis. A tab has one of each at a time.

import { follow, ask } from "./server.js";
import { newName } from "./store.js";

const TAB = newName();

/** Sizes of a hash table to choose from, in MiB. */
export const HASH_CHOICES = [16, 64, 256, 1024];

/** Numbers of threads to choose from. */
export function threadChoices() {
  return [1, 2, 4, 8, 16].filter((own) => own <= Math.max(1, navigator.hardwareConcurrency ?? 1));
}

export class Search {
  constructor(kind) {
    this.tab = `${TAB}-${kind}`;
    this.abort = null;
  }

  get runs() {
    return this.abort !== null;
  }

  /** Searches; `onPart` gets lines. Returns the last part, or null if the search was given up. */
  async run(request, onPart = () => {}) {
    this.cancel();
    const abort = new AbortController();
    this.abort = abort;
    let last = null;
    try {
      await follow(request.command ?? "search", { ...request, tab: this.tab }, abort.signal, (part) => {
        if (abort.signal.aborted) return;
        last = part;
        onPart(part);
      });
    } catch (error) {
      if (error.name !== "AbortError") throw error;
      return null;
    } finally {
      if (this.abort === abort) this.abort = null;
    }
    return abort.signal.aborted ? null : last;
  }

  /** Ends the search with what it has found. */
  async stop() {
    if (this.abort) await ask("stop", { tab: this.tab });
  }

  /** Gives the search up. */
  cancel() {
    this.abort?.abort();
    this.abort = null;
  }
}
