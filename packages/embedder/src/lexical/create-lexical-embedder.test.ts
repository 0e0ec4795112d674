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
    for (const text of ['', ' \n\t', '— … !?', '\ud800']) {
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

  it('ignores case, full width and the way an accent was typed', async () => {
    expect(await vectorOf('CAFÉ Ärger ТЕСТ')).toEqual(await vectorOf('cafe\u0301 ärger тест'));
    expect(await vectorOf('ＡＢＣ１２３')).toEqual(await vectorOf('abc123'));
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
