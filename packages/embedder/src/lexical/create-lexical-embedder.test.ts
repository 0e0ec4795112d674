import { describe, expect, it } from 'bun:test';
import fc from 'fast-check';
import { cosine } from '../../test/models.ts';
import { createLexicalEmbedder } from './create-lexical-embedder.ts';

const embedder = createLexicalEmbedder();

async function vectorOf(text: string): Promise<Float32Array> {
  const [embedding] = await embedder.embed([text]);
  if (embedding === undefined) throw new Error('no embedding');
  return embedding.vector;
}

describe('createLexicalEmbedder', () => {
  it('gives unit vectors of 384 dimensions', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1 }), async (text) => {
        const vector = await vectorOf(`word ${text}`);
        expect(vector).toHaveLength(384);
        expect(cosine(vector, vector)).toBeCloseTo(1, 5);
      }),
    );
  });

  it('gives the zero vector for a text without words', async () => {
    for (const text of ['', ' \n\t', '— … !?', '。、']) {
      expect((await vectorOf(text)).every((value) => value === 0)).toBe(true);
    }
  });

  it('does not depend on what was embedded before, nor on the company in a call', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'binary' })), async (texts) => {
        const together = await embedder.embed(texts);
        for (const [i, text] of texts.entries()) {
          const [alone] = await createLexicalEmbedder().embed([text]);
          expect(together[i]?.vector).toEqual(alone?.vector as Float32Array);
        }
      }),
    );
  });

  it('ignores full width and the way an accent was typed', async () => {
    expect(await vectorOf('ａｂｃ１２３')).toEqual(await vectorOf('abc123'));
    expect(await vectorOf('café ärger')).toEqual(await vectorOf('cafe\u0301 a\u0308rger'));
  });

  it('sees the same words in another case, weighted otherwise', async () => {
    // One capital word alone is its own direction, whatever its weight.
    expect(await vectorOf('BOSTON')).toEqual(await vectorOf('boston'));
    const lower = await vectorOf('fly to boston');
    const mixed = await vectorOf('fly to Boston');
    expect(cosine(lower, mixed)).toBeGreaterThan(0.9);
    expect(cosine(lower, mixed)).toBeLessThan(0.999);
  });

  it('weighs the start of a text more than its end', async () => {
    const filler = 'and then some more of it '.repeat(40);
    const text = await vectorOf(`alpha ${filler} omega`);
    expect(cosine(text, await vectorOf('alpha'))).toBeGreaterThan(
      2 * cosine(text, await vectorOf('omega')),
    );
  });

  it('counts emoji, ideographs beyond the 16-bit plane and lone surrogates as characters', async () => {
    for (const text of ['😀', '𠮷', '\ud800', '\udc00']) {
      const vector = await vectorOf(text);
      expect(cosine(vector, vector)).toBeCloseTo(1, 6);
    }
  });

  it('has not changed: the vectors of this version, as numbers', async () => {
    const sums = [];
    for (const text of [
      'Fix the parser bug in parse_line(), please',
      '航班延误了三个小时',
      'Ёлка Straße Ñandú',
      Array.from({ length: 1_000 }, (_, i) => `w${i % 700}`).join(' '),
    ]) {
      const vector = await vectorOf(text);
      sums.push(Array.from(vector).reduce((sum, x, i) => sum + Math.round(x * 1e6) * (i + 1), 0));
    }
    expect(embedder.id).toBe('lexical/3/384');
    expect(sums).toEqual([85_468_189, -88_071_611, 119_261_400, -126325886]);
  });

  it('puts related sentences nearer than unrelated ones, in several scripts', async () => {
    const triples = [
      ['cancel my flight to Boston', 'please cancel the flight to Boston', 'fix the parser bug'],
      ['航班延误了三个小时', '我的航班延误了', '修复解析器中的错误'],
      ['予約をキャンセルしたい', '予約のキャンセルをお願いします', '構文解析のエラーを直す'],
      ['항공편을 취소하고 싶어요', '항공편 취소 부탁드립니다', '파서 오류를 고쳐 주세요'],
      ['quiero cancelar mi vuelo', 'cancelar el vuelo por favor', 'corregir el analizador'],
    ] as const;
    for (const [text, near, far] of triples) {
      const vector = await vectorOf(text);
      expect(cosine(vector, await vectorOf(near))).toBeGreaterThan(
        cosine(vector, await vectorOf(far)) + 0.1,
      );
    }
  });

  it('has computed when embed returns', async () => {
    const order: string[] = [];
    const promise = embedder.embed(['a b c']).then(() => order.push('embedding'));
    queueMicrotask(() => order.push('microtask'));
    await promise;
    await Promise.resolve();
    expect(order).toEqual(['embedding', 'microtask']);
  });

  it('refuses what is not text, naming the index', async () => {
    for (const [value, type] of [
      [1, 'number'],
      [null, 'null'],
      [undefined, 'undefined'],
      [{}, 'object'],
      [[], 'an array'],
    ] as const) {
      await expect(embedder.embed(['a', value as unknown as string])).rejects.toThrow(
        new TypeError(`texts[1]: expected a string, received ${type}`),
      );
    }
    await expect(embedder.embed('a' as unknown as string[])).rejects.toThrow(TypeError);
  });

  it('takes other dimensions and says so in its id', async () => {
    const small = createLexicalEmbedder({ dimensions: 32 });
    const [embedding] = await small.embed(['a text of some words']);
    expect(embedding?.vector).toHaveLength(32);
    expect(small.id).not.toBe(embedder.id);
    for (const dimensions of [0, -1, 1.5, Number.NaN, 65_537]) {
      expect(() => createLexicalEmbedder({ dimensions })).toThrow(RangeError);
    }
  });
});
