/** The bytes that JSON gives a meaning; every byte of a longer UTF-8 character is 0x80 or above. */
export const LINE_FEED = 0x0a;
export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_BRACKET = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE_BRACKET = 0x5d;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;

/** Whether `byte` is one of the four blanks of JSON. */
export function isBlankByte(byte: number): boolean {
  return byte === 0x20 || byte === LINE_FEED || byte === 0x0d || byte === 0x09;
}

/** Whether a JSON value can begin with `byte`. */
export function beginsValue(byte: number): boolean {
  return (
    byte === QUOTE ||
    byte === OPEN_BRACE ||
    byte === OPEN_BRACKET ||
    (byte >= 0x30 && byte <= 0x39) ||
    byte === 0x2d || // -
    byte === 0x74 || // true
    byte === 0x66 || // false
    byte === 0x6e // null
  );
}

/** The byte for a message: as a character when it has a visible one, else as a number. */
export function describeByte(byte: number): string {
  if (byte === LINE_FEED || byte === 0x0d) return 'a line break';
  if (byte > 0x20 && byte < 0x7f) return String.fromCharCode(byte);
  return `the byte 0x${byte.toString(16).padStart(2, '0')}`;
}

/** The bytes that mean something in text between quotes, or that it may not hold as they are. */
const TEXT_MARKS: readonly number[] = [QUOTE, BACKSLASH, LINE_FEED];
/** Shorter stretches are looked through faster byte by byte. */
const SHORT_BYTES = 32;

/** Finds the ends of text between quotes in a chunk; looks at no byte of it twice for the same mark. */
export class TextScanner {
  /** Of each of the marks, where it comes next. */
  readonly #next: number[] = TEXT_MARKS.map(() => -1);

  /** Continues with another chunk. */
  nextChunk(): void {
    this.#next.fill(-1);
  }

  /**
   * Index of the first quote or line break from `from` on, past whatever is escaped, or of a backslash
   * with a line break or nothing behind it; the chunk's length if none. To be asked from the chunk's
   * beginning to its end.
   */
  endOf(chunk: Uint8Array, from: number): number {
    let stretch = from;
    for (let index = from; index < chunk.length; index++) {
      const byte = chunk[index] as number;
      if (byte === QUOTE || byte === LINE_FEED) return index;
      if (byte === BACKSLASH) {
        const escaped = chunk[index + 1];
        if (escaped === undefined || escaped === LINE_FEED) return index;
        index += 1;
        stretch = index + 1;
      } else if (index - stretch === SHORT_BYTES) {
        index = this.#nextMark(chunk, index) - 1;
        stretch = index + 1;
      }
    }
    return chunk.length;
  }

  #nextMark(chunk: Uint8Array, from: number): number {
    let nearest = chunk.length;
    for (const [kind, byte] of TEXT_MARKS.entries()) {
      let at = this.#next[kind] as number;
      if (at < from) {
        at = chunk.indexOf(byte, from);
        if (at === -1) at = chunk.length;
        this.#next[kind] = at;
      }
      nearest = Math.min(nearest, at);
    }
    return nearest;
  }
}

/** A position in the input: line and column from 1, the column in bytes. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Keeps count of lines and columns over chunks. */
export class LineCounter {
  line = 1;
  /** Index of the current line's first byte, relative to the current chunk (negative if earlier). */
  #lineStart = 0;

  /** Notes a line break at `index` of the current chunk. */
  countAt(index: number): void {
    this.line += 1;
    this.#lineStart = index + 1;
  }

  /** Continues with the next chunk after one of `length` bytes. */
  nextChunk(length: number): void {
    this.#lineStart -= length;
  }

  /** The position of `index` of the current chunk. */
  at(index: number): Position {
    return { line: this.line, column: index - this.#lineStart + 1 };
  }
}
