import {
  BACKSLASH,
  COMMA,
  LINE_FEED,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  TextScanner,
} from '../json-stream/bytes.ts';
import { spendValues, type UnpackBudget } from './limits.ts';

/**
 * What things count for, measured as time and memory: an object, which may become a step; a value by
 * itself, such as a line; a run; and a value that is none.
 */
export const OBJECT = 25;
export const ITEM = 15;
export const RUN = 300;
export const PROBLEM = 60;

/** By the byte that begins it, or that stands before it. */
const COUNTS = new Uint8Array(256);
COUNTS[OPEN_BRACE] = OBJECT;
for (const byte of [OPEN_BRACKET, COMMA, LINE_FEED]) COUNTS[byte] = 1;
/** Between the cells of tables. */
for (const separator of ';\t') COUNTS[separator.charCodeAt(0)] = 1;

/**
 * Passes on unpacked text, as long as the budget lasts for the values that will be made of it: what
 * a parser has once made of them cannot be counted any more.
 *
 * @param form - `table`: a CSV file, whose cells may hold JSON.
 * @throws {@link DamagedArchiveError} when the budget is spent.
 */
export async function* spendText(
  chunks: AsyncGenerator<Uint8Array>,
  budget: UnpackBudget,
  form: 'json' | 'table',
): AsyncGenerator<Uint8Array> {
  const counter = new TextCounter(form === 'json');
  for await (const chunk of chunks) {
    spendValues(budget, counter.count(chunk));
    yield chunk;
  }
}

/** Counts the values in text, over chunks cut anywhere. */
export class TextCounter {
  /** Whether what stands between quotes is text, and holds no values. */
  #hasTexts: boolean;
  readonly #text = new TextScanner();
  #inText = false;
  #escaped = false;

  constructor(hasTexts: boolean) {
    this.#hasTexts = hasTexts;
  }

  count(chunk: Uint8Array): number {
    let values = 0;
    this.#text.nextChunk();
    for (let index = 0; index < chunk.length; index++) {
      if (this.#inText && !this.#escaped) index = this.#text.endOf(chunk, index);
      const byte = chunk[index];
      if (byte === undefined) break;
      if (this.#inText) this.#readText(byte);
      else if (byte === QUOTE) this.#inText = this.#hasTexts;
      else values += COUNTS[byte] as number;
    }
    return values;
  }

  #readText(byte: number): void {
    if (byte === LINE_FEED) {
      // No JSON: readers of lines and of documents no longer agree on what stands between quotes.
      this.#hasTexts = false;
      this.#inText = false;
    } else if (this.#escaped) this.#escaped = false;
    else if (byte === BACKSLASH) this.#escaped = true;
    else if (byte === QUOTE) this.#inText = false;
  }
}
