import { describe, expect, it } from 'bun:test';
import { readTokenizerJson, tokenizeWith, vocabularySize } from './static-tokenizer.ts';

describe('readTokenizerJson', () => {
  it('accepts bytes, text or parsed JSON', () => {
    const json = { model: { unk_id: 3 } };
    const text = JSON.stringify(json);
    expect(readTokenizerJson(new TextEncoder().encode(text))).toEqual(json);
    expect(readTokenizerJson(text)).toEqual(json);
    expect(readTokenizerJson(json)).toBe(json);
  });

  it.each([
    ['null', 'object'],
    ['7', 'number'],
    ['"a"', 'string'],
  ])('rejects JSON that is not an object: %s', (text, message) => {
    expect(() => readTokenizerJson(text)).toThrow(new TypeError(message));
  });
});

describe('vocabularySize', () => {
  it.each([
    ['none', {}, 0],
    ['a map', { model: { vocab: { a: 0, b: 1 } } }, 2],
    ['a map in which two tokens share an id', { model: { vocab: { a: 0, b: 0 } } }, 1],
    [
      'a map with added tokens',
      { model: { vocab: { a: 0, b: 1 } }, added_tokens: [{ id: 1 }, { id: 2 }] },
      3,
    ],
    ['a list', { model: { vocab: [['a'], ['b']] } }, 2],
    [
      'a list with added tokens after it and within',
      { model: { vocab: [['a'], ['b']] }, added_tokens: [{ id: 4 }, { id: 1 }] },
      5,
    ],
  ])('of %s', (_, json, size) => {
    expect(vocabularySize(json)).toBe(size);
  });
});

describe('tokenizeWith', () => {
  /** A tokenizer that returns the length of each piece as its only token and records its inputs. */
  function lengthsOf(text: string, json = {}): number[][] {
    const encode = (piece: string, options: { add_special_tokens: boolean }) => {
      expect(options).toEqual({ add_special_tokens: false });
      return { ids: [piece.length] };
    };
    return [...tokenizeWith({ encode }, json)(text)];
  }

  it('reads 16,384 characters at a time and cuts before the last space', () => {
    const most = 16_384;
    const word = (length: number): string => 'x'.repeat(length);
    expect(lengthsOf('')).toEqual([]);
    expect(lengthsOf(`a ${word(most - 2)}`)).toEqual([[most]]);
    expect(lengthsOf(`a ${word(most - 1)}`)).toEqual([[1], [most]]);
    expect(lengthsOf(word(most + 1))).toEqual([[most], [1]]);
    expect(lengthsOf(`${word(most)} b`)).toEqual([[most], [2]]);
    expect(lengthsOf(` ${word(most)}`)).toEqual([[most], [1]]);
    expect(lengthsOf(`${word(most - 1)} b c`)).toEqual([[most - 1], [4]]);
  });

  it.each([
    ['none', {}, [1, 2, 3]],
    ['the unknown token by its id', { model: { unk_id: 2 } }, [1, 3]],
    ['the first token by its id', { model: { unk_id: 0 } }, [1, 2, 3]],
    ['the unknown token by its name', { model: { unk_token: 'u', vocab: { u: 3 } } }, [1, 2]],
    ['an unknown token without an id', { model: { unk_token: 'u', vocab: {} } }, [1, 2, 3]],
    ['an unknown token of null', { model: { unk_token: null, vocab: { null: 1 } } }, [1, 2, 3]],
    ['the id before the name', { model: { unk_id: 1, unk_token: 'u', vocab: { u: 3 } } }, [2, 3]],
  ])('omits the unknown token: %s', (_, json, ids) => {
    const tokenizer = { encode: () => ({ ids: [1, 2, 3] }) };
    expect([...tokenizeWith(tokenizer, json)('a')]).toEqual([ids]);
  });
});
