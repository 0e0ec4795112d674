import type { TransformersTokenizer } from './transformers-library.ts';

/** The tokens of a text that the model will see. */
export interface TokenizedText {
  readonly ids: readonly number[];
  /** Whether the text has tokens that are not among them. */
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
    const end = length < text.length ? lastWhiteSpace(text, length) : text.length;
    // No white space to cut before: look further.
    if (end === 0 && text.length > 0) continue;
    const ids = tokenizer.encode(end === text.length ? text : text.slice(0, end));
    if (ids.length > window) return { ids: ids.slice(0, window), truncated: true };
    if (end === text.length) return { ids, truncated: false };
  }
}

function lastWhiteSpace(text: string, before: number): number {
  for (let i = before; i > 0; i--) {
    const code = text.charCodeAt(i);
    if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) return i;
  }
  return 0;
}
