import { lastWhiteSpace, type TokenizedText } from './tokenize.ts';
import type { TransformersTokenizer } from './transformers-library.ts';

/** How a text is cut. */
export interface ChunkOptions {
  /** Most tokens in a row, special tokens included. */
  readonly window: number;
  readonly maxChunks: number;
  /** Ascending indices into the text where a cut is best. */
  readonly boundaries: readonly number[];
}

/** Parts of the text longer than this, in characters, are tokenized in pieces. */
const PIECE_LENGTH = 2_048;

/**
 * Tokens of a text in as many rows as it takes, each a run of whole parts where parts fit the window.
 *
 * A part (the text between two boundaries) moves to the next row as a whole rather than being cut,
 * unless it is longer than a row; then it is cut before white space, or between tokens.
 */
export function chunkText(
  tokenizer: TransformersTokenizer,
  text: string,
  options: ChunkOptions,
): TokenizedText {
  const { start, end } = specialTokens(tokenizer);
  const capacity = options.window - start.length - end.length;
  if (capacity < 1)
    throw new RangeError(`window: expected room for a token, received ${options.window}`);
  const rows: number[][] = [];
  let row: number[] = [];
  const closeRow = (): void => {
    if (row.length > 0) rows.push([...start, ...row, ...end]);
    row = [];
  };

  for (const part of parts(text, options.boundaries)) {
    const ids = partTokens(tokenizer, part, capacity * (options.maxChunks - rows.length + 1));
    if (row.length + ids.length > capacity) closeRow();
    for (let from = 0; from < ids.length; from += capacity) {
      if (row.length === capacity) closeRow();
      row.push(...ids.slice(from, from + capacity));
    }
    if (rows.length > options.maxChunks) break;
  }
  closeRow();
  return { rows: rows.slice(0, options.maxChunks), truncated: rows.length > options.maxChunks };
}

/** Tokens of a part, read no further than it takes to have more than `most`. */
function partTokens(tokenizer: TransformersTokenizer, part: string, most: number): number[] {
  const ids: number[] = [];
  for (const piece of pieces(part)) {
    ids.push(...tokenizer.encode(piece, { add_special_tokens: false }));
    if (ids.length > most) break;
  }
  return ids;
}

function* parts(text: string, boundaries: readonly number[]): Generator<string> {
  let from = 0;
  for (const boundary of boundaries) {
    if (boundary <= from || boundary >= text.length) continue;
    yield text.slice(from, boundary);
    from = boundary;
  }
  yield text.slice(from);
}

function* pieces(part: string): Generator<string> {
  for (let from = 0; from < part.length; ) {
    let end = Math.min(from + PIECE_LENGTH, part.length);
    if (end < part.length) {
      const space = lastWhiteSpace(part, from, end);
      if (space > from) end = space;
      else if (isLowSurrogate(part.charCodeAt(end))) end++;
    }
    yield part.slice(from, end);
    from = end;
  }
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

/** What the tokenizer puts before and after the tokens of a text. */
function specialTokens(tokenizer: TransformersTokenizer): { start: number[]; end: number[] } {
  const bare = tokenizer.encode('a', { add_special_tokens: false });
  const whole = tokenizer.encode('a');
  const from = whole.findIndex((_, i) => bare.every((id, j) => whole[i + j] === id));
  return { start: whole.slice(0, from), end: whole.slice(from + bare.length) };
}
