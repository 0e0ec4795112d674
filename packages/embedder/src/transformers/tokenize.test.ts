import { describe, expect, it } from 'bun:test';
import fc from 'fast-check';
import { chunkText, tokenizeWindow } from './tokenize.ts';
import type { TransformersTokenizer } from './transformers-library.ts';

const LONE_SURROGATE = /\p{Surrogate}/u;

/** One token per word, its length, with 101 before and 102 after a text. */
const tokenizer: TransformersTokenizer = {
  model_max_length: 512,
  encode: (text, { add_special_tokens = true } = {}) => {
    const ids = text
      .split(/\s+/)
      .filter(Boolean)
      .map(({ length }) => length);
    return add_special_tokens ? [101, ...ids, 102] : ids;
  },
};

/** Lengths of the texts passed to the tokenizer. */
function recording(base: TransformersTokenizer): {
  tokenizer: TransformersTokenizer;
  given: number[];
} {
  const given: number[] = [];
  const encode: TransformersTokenizer['encode'] = (text, options) => {
    given.push(text.length);
    return base.encode(text, options);
  };
  return { tokenizer: { ...base, encode }, given };
}

describe('tokenizeWindow', () => {
  it('keeps a text that fits and only the first tokens of a longer one', () => {
    expect(tokenizeWindow(tokenizer, 'a bb c', 5)).toEqual({
      rows: [[101, 1, 2, 1, 102]],
      truncated: false,
    });
    expect(tokenizeWindow(tokenizer, 'a bb c', 4)).toEqual({
      rows: [[101, 1, 2, 1]],
      truncated: true,
    });
    expect(tokenizeWindow(tokenizer, '', 5)).toEqual({ rows: [[101, 102]], truncated: false });
  });

  it.each([' ', '\n', '\r', '\t'])(
    'reads eight characters per token and cuts before %j',
    (space) => {
      const { tokenizer: counting, given } = recording(tokenizer);
      const text = `word${space}`.repeat(1000);
      const { rows, truncated } = tokenizeWindow(counting, text, 10);
      expect(rows).toEqual([[101, 4, 4, 4, 4, 4, 4, 4, 4, 4]]);
      expect(truncated).toBe(true);
      // 16 words and the 15 spaces between them are before the last space of the first 80.
      expect(given).toEqual([79]);
    },
  );

  it.each([
    [2, [112, 300]],
    [3, [112]],
  ])('ignores tokens of a cut word: with %d special tokens it reads %p', (special, expected) => {
    const letters: TransformersTokenizer = {
      ...tokenizer,
      encode: (text) => Array.from({ length: text.length + special }, () => 7),
    };
    // 8 · 14 = 112 letters form one word; the last 100 of its tokens may differ from those of the
    // complete word.
    const { tokenizer: counting, given } = recording(letters);
    for (const text of ['x'.repeat(300), ` ${'x'.repeat(299)}`]) {
      given.length = 0;
      expect(tokenizeWindow(counting, text, 14)).toEqual({
        rows: [new Array(14).fill(7)],
        truncated: true,
      });
      expect(given).toEqual(expected);
    }
  });
});

describe('chunkText', () => {
  it('finds the special tokens before and after a text', () => {
    const letters: TransformersTokenizer = {
      model_max_length: 512,
      encode: (text, { add_special_tokens = true } = {}) => {
        // Two tokens per letter; the first of them equals the special token at the start.
        const ids = [...text].flatMap((letter) => [1, letter.charCodeAt(0)]);
        return add_special_tokens ? [1, 5, ...ids, 102] : ids;
      },
    };
    const options = { window: 9, maxChunks: 4, boundaries: [] };
    expect(chunkText(letters, 'abc', options)).toEqual({
      rows: [[1, 5, 1, 97, 1, 98, 1, 99, 102]],
      truncated: false,
    });
  });

  it('cuts at the expected boundaries if the parts fit', () => {
    const text = 'a bb ccc dddd e ff';
    const boundaries = [text.indexOf('ccc'), text.indexOf('e ff')];
    const { rows, truncated } = chunkText(tokenizer, text, { window: 6, maxChunks: 9, boundaries });
    // Parts of 2, 2 and 2 tokens; a row has room for 4.
    expect(rows).toEqual([
      [101, 1, 2, 3, 4, 102],
      [101, 1, 2, 102],
    ]);
    expect(truncated).toBe(false);
  });

  it('moves a part that would be cut to the next row', () => {
    const text = 'a b c dd dd dd';
    const boundaries = [text.indexOf('dd')];
    const { rows } = chunkText(tokenizer, text, { window: 7, maxChunks: 9, boundaries });
    expect(rows).toEqual([
      [101, 1, 1, 1, 102],
      [101, 2, 2, 2, 102],
    ]);
  });

  it('cuts a part that is longer than a row', () => {
    const { rows } = chunkText(tokenizer, 'a b c d e', { window: 4, maxChunks: 9, boundaries: [] });
    expect(rows.map((row) => row.length)).toEqual([4, 4, 3]);
  });

  it('reports truncated if there are more rows than allowed', () => {
    const options = { window: 4, boundaries: [] };
    expect(chunkText(tokenizer, 'a b c d', { ...options, maxChunks: 2 }).truncated).toBe(false);
    const cut = chunkText(tokenizer, 'a b c d e', { ...options, maxChunks: 2 });
    expect(cut.rows).toHaveLength(2);
    expect(cut.truncated).toBe(true);
  });

  it('keeps every token in order for any boundaries', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 3_000 }),
        fc.array(fc.nat(6_000), { maxLength: 20 }),
        fc.integer({ min: 3, max: 600 }),
        (lengths, cuts, window) => {
          const text = lengths.map((length) => 'x'.repeat(length)).join(' ');
          // A boundary is where a part begins: after a space.
          const boundaries = cuts
            .map((cut) => text.indexOf(' ', cut) + 1)
            .filter((cut) => cut > 0)
            .toSorted((a, b) => a - b);
          const { rows, truncated } = chunkText(tokenizer, text, {
            window,
            boundaries,
            maxChunks: Number.MAX_SAFE_INTEGER,
          });
          expect(rows.every((row) => row.length <= window)).toBe(true);
          expect(rows.flatMap((row) => row.slice(1, -1))).toEqual(lengths);
          expect(truncated).toBe(false);
        },
      ),
    );
  });

  it('does not read a huge part beyond the allowed rows', () => {
    let read = 0;
    const counting: TransformersTokenizer = {
      ...tokenizer,
      encode: (text, options) => {
        read += text.length;
        return tokenizer.encode(text, options);
      },
    };
    const { truncated } = chunkText(counting, 'word '.repeat(200_000), {
      window: 12,
      maxChunks: 2,
      boundaries: [],
    });
    expect(truncated).toBe(true);
    expect(read).toBeLessThan(10_000);
  });

  it('never cuts a surrogate pair', () => {
    const pieces: string[] = [];
    const recording: TransformersTokenizer = {
      ...tokenizer,
      encode: (text, options) => {
        pieces.push(text);
        return tokenizer.encode(text, options);
      },
    };
    chunkText(recording, `a${'😀'.repeat(5_000)}`, { window: 9, maxChunks: 99, boundaries: [] });
    expect(pieces.every((piece) => !LONE_SURROGATE.test(piece))).toBe(true);
  });
});
