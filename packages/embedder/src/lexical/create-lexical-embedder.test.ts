import { describe, expect, it } from 'bun:test';
import { turnsDuring } from '@kp/testing/turns';
import { cosine } from '../../test/models.ts';
import { createLexicalEmbedder } from './create-lexical-embedder.ts';

const embedder = createLexicalEmbedder();

async function vectorOf(text: string): Promise<Float32Array> {
  const [embedding] = await embedder.embed([text]);
  if (embedding === undefined) throw new Error('no embedding');
  return embedding.vector;
}

describe('createLexicalEmbedder', () => {
  it('returns the zero vector for a text without words', async () => {
    for (const text of ['', ' \n\t', '— … !?', '。、']) {
      expect((await vectorOf(text)).every((value) => value === 0)).toBe(true);
    }
  });

  it('ignores full-width forms and the encoding of accents', async () => {
    expect(await vectorOf('ａｂｃ１２３')).toEqual(await vectorOf('abc123'));
    expect(await vectorOf('café ärger')).toEqual(await vectorOf('cafe\u0301 a\u0308rger'));
  });

  it('recognises the same words in another case with a different weight', async () => {
    // A single capitalised word has its own direction with any weight.
    expect(await vectorOf('BOSTON')).toEqual(await vectorOf('boston'));
    const lower = await vectorOf('fly to boston');
    const mixed = await vectorOf('fly to Boston');
    expect(cosine(lower, mixed)).toBeGreaterThan(0.9);
    expect(cosine(lower, mixed)).toBeLessThan(0.999);
  });

  it('gives the start of a text more weight than its end', async () => {
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

  it('returns the recorded vectors of this version', async () => {
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
    expect(embedder.id).toBe('lexical/5/384');
    expect(sums).toEqual([31_375_563, 28_657_127, -28_048_064, 169_547_658]);
  });

  it('places related sentences nearer than unrelated ones in several scripts', async () => {
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

  it('treats an emoji as one character, so unrelated emoji have nothing in common', async () => {
    const emoji = [
      '😀',
      '🙈',
      '🎉',
      '🚀',
      '👩‍🔬',
      '🐟',
      '🇫🇷',
      '🇫🇮',
      '🇷🇫',
      '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
      '🏴󠁧󠁢󠁳󠁣󠁴󠁿',
      '1️⃣',
      '2️⃣',
      '𠮷',
      '𠮶',
    ];
    for (const a of emoji) {
      for (const b of emoji) {
        const similarity = cosine(await vectorOf(a), await vectorOf(b));
        // Two features may share one of the 384 dimensions; the features of these texts do not.
        expect([a, b, similarity.toFixed(2)]).toEqual([a, b, a === b ? '1.00' : '0.00']);
      }
    }
  });

  it('ignores the skin tone and presentation of emoji', async () => {
    expect(await vectorOf('👍🏽')).toEqual(await vectorOf('👍'));
    expect(await vectorOf('🌶️')).toEqual(await vectorOf('🌶'));
    expect(cosine(await vectorOf('ship it 🚀'), await vectorOf('🚀'))).toBeGreaterThan(0.3);
  });

  it('computes before embed returns', async () => {
    const order: string[] = [];
    const promise = embedder.embed(['a b c']).then(() => order.push('embedding'));
    queueMicrotask(() => order.push('microtask'));
    await promise;
    await Promise.resolve();
    expect(order).toEqual(['embedding', 'microtask']);
  });

  it('computes up to 131,072 characters in total before embed returns, and more in slices', async () => {
    for (const [texts, isAtOnce] of [
      [['x'.repeat(131_072)], true],
      [['x'.repeat(131_073)], false],
      [['x'.repeat(131_000), 'y'.repeat(72)], true],
      [['x'.repeat(131_000), 'y'.repeat(73)], false],
    ] as const) {
      const order: string[] = [];
      const promise = embedder.embed(texts).then((embeddings) => {
        order.push('embedding');
        return embeddings;
      });
      queueMicrotask(() => order.push('microtask'));
      expect((await promise).map(({ truncated }) => truncated)).toEqual(texts.map(() => false));
      await Promise.resolve();
      expect(order[0]).toBe(isAtOnce ? 'embedding' : 'microtask');
    }
  });

  it('rejects values that are not text and names the index', async () => {
    await expect(embedder.embed(['a', 1 as unknown as string])).rejects.toThrow(
      'texts[1]: expected a string, received 1',
    );
  });

  it('reads a long text in slices with the same vector for any cuts', async () => {
    // Cuts are within words, accents, ideographs and emoji and must not change the result.
    const texts = ['observation ', 'cafe\u0301 ', '航班延误', '😀👍🏽 '].map((unit) =>
      unit.repeat(Math.ceil(400_000 / unit.length)),
    );
    const together = await embedder.embed(texts);
    const units = await embedder.embed(['observation', 'café', '航班延误', '😀👍']);
    for (const [i, { vector }] of together.entries()) {
      const [alone] = await createLexicalEmbedder().embed([texts[i]]);
      expect(alone?.vector).toEqual(vector);
      expect(cosine(vector, units[i]?.vector as Float32Array)).toBeGreaterThan(0.5);
    }
  });

  it('returns the same vector for a text in many pieces as for one piece', async () => {
    // The same word 60,000 times: one feature, 1 + ln(count) of its weight.
    const [long] = await embedder.embed(['observation '.repeat(60_000)]);
    const [short] = await embedder.embed(['observation '.repeat(8_000)]);
    expect(cosine(long?.vector as Float32Array, short?.vector as Float32Array)).toBeCloseTo(1, 3);
  });

  it('yields to the event loop within a long text and checks the signal there', async () => {
    const text = Array.from({ length: 300_000 }, (_, i) => `w${i}`).join(' ');
    expect(await turnsDuring(() => embedder.embed([text]))).toBeGreaterThan(3);
    const controller = new AbortController();
    const abandoned = embedder.embed([text], { signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(abandoned).rejects.toThrow('enough');
  });

  it('embeds a text of only accents in linear time', async () => {
    const text = 'e'.concat('\u0301\u0323'.repeat(200_000));
    expect(await embedder.embed([text])).toHaveLength(1);
  });
});
