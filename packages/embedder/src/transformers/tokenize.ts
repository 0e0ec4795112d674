import type { TransformersTokenizer } from './transformers-library.ts';

/** The token ids of a text, in rows that fit the model. */
export interface TokenizedText {
  /** Token ids a run, special tokens included. Empty when the text has no tokens. */
  readonly rows: readonly (readonly number[])[];
  /** Whether the text has tokens that are not in the rows. */
  readonly truncated: boolean;
}

/** Twice of what running text has, so that a longer text mostly takes one attempt. */
const CHARACTERS_PER_TOKEN = 8;

/**
 * Tokens of a text, cut to the first `window` as the pipelines of transformers.js cut them: the
 * special token at the end of the text falls off too.
 *
 * Only as much of the text is tokenized as it takes to fill the window: a text is cut before white
 * space, where no token can reach across, and the cut grows until there are more tokens than fit.
 */
export function tokenizeWindow(
  tokenizer: TransformersTokenizer,
  text: string,
  window: number,
): TokenizedText {
  for (let length = window * CHARACTERS_PER_TOKEN; ; length *= 4) {
    const end = length < text.length ? lastWhiteSpace(text, 0, length) : text.length;
    // No white space to cut before: look further.
    if (end === 0 && text.length > 0) continue;
    const ids = tokenizer.encode(end === text.length ? text : text.slice(0, end));
    if (ids.length > window) return { rows: [ids.slice(0, window)], truncated: true };
    if (end === text.length) return { rows: [ids], truncated: false };
  }
}

/** Index of the last white space in `(from, before]`, or `from` when there is none. */
export function lastWhiteSpace(text: string, from: number, before: number): number {
  for (let i = before; i > from; i--) {
    const code = text.charCodeAt(i);
    if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) return i;
  }
  return from;
}
