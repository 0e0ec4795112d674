import { describe, expect, it } from 'bun:test';
import fc from 'fast-check';
import { oracleCosine } from '../test/oracle.ts';
import { InvalidTypeError, InvalidValueError, VectorCache } from './index.ts';

const component = fc.double({ min: -1e3, max: 1e3, noNaN: true });
const vector = (length: number) => fc.array(component, { minLength: length, maxLength: length });

describe('VectorCache', () => {
  it('finds 24/25 for (3,4) and (4,3), as calculated by hand', () => {
    const cache = new VectorCache({ dimensions: 2 });
    cache.add([3, 4]);
    expect(cache.maxCosineSimilarity([4, 3])).toBeCloseTo(24 / 25, 6);
  });

  it('returns 0, undefined and [] when empty', () => {
    const cache = new VectorCache({ dimensions: 2 });
    expect(cache.maxCosineSimilarity([1, 0])).toBe(0);
    expect(cache.nearest([1, 0])).toBeUndefined();
    expect(cache.search([1, 0], 3)).toEqual([]);
  });

  it('agrees with a float64 oracle over adds and evictions', () => {
    const sequences = fc.integer({ min: 1, max: 19 }).chain((dimensions) =>
      fc.record({
        maxElements: fc.integer({ min: 1, max: 20 }),
        vectors: fc.array(vector(dimensions), { minLength: 1, maxLength: 40 }),
        query: vector(dimensions),
      }),
    );
    fc.assert(
      fc.property(sequences, ({ maxElements, vectors, query }) => {
        const cache = new VectorCache({ dimensions: query.length, maxElements });
        for (const [index, each] of vectors.entries()) cache.add(each, `${index}`);
        const kept = vectors.slice(-maxElements);
        const expected = kept.map((each) => oracleCosine(each, query));
        expect(cache.size).toBe(kept.length);
        expect(Math.abs(cache.maxCosineSimilarity(query) - Math.max(...expected))).toBeLessThan(
          1e-6,
        );
        const sorted = expected.toSorted((a, b) => b - a);
        for (const [rank, found] of cache.search(query, 5).entries()) {
          expect(Math.abs(found.similarity - sorted[rank])).toBeLessThan(1e-6);
          const own = oracleCosine(vectors[Number(found.key)], query);
          expect(Math.abs(found.similarity - own)).toBeLessThan(1e-6);
        }
      }),
    );
  });

  it('does not depend on the scale of its vectors', () => {
    for (const scale of [5e-324, 1e-300, 1e-30, 1, 1e30, 1e300]) {
      const cache = new VectorCache({ dimensions: 3 });
      cache.add([scale, 0, scale]);
      expect(cache.maxCosineSimilarity([1 / 3, 0, 0])).toBeCloseTo(Math.SQRT1_2, 6);
      expect(cache.maxCosineSimilarity([scale, 0, scale])).toBeCloseTo(1, 6);
    }
  });

  it('treats a zero vector as similar to nothing', () => {
    const cache = new VectorCache({ dimensions: 2 });
    cache.add([0, 0], 'zero');
    expect(cache.maxCosineSimilarity([-1, 2])).toBe(0);
    cache.add([1, 0], 'east');
    expect(cache.maxCosineSimilarity([0, 0])).toBe(0);
    expect(cache.nearest([-1, 0])?.key).toBe('zero');
  });

  it('keeps its own copy', () => {
    const cache = new VectorCache({ dimensions: 2 });
    const reused = Float32Array.of(1, 0);
    cache.add(reused);
    reused.set([0, 1]);
    expect(cache.maxCosineSimilarity([1, 0])).toBe(1);
  });

  it('removes everything on clear and remains usable', () => {
    const cache = new VectorCache({ dimensions: 1 });
    cache.add([1], 'a');
    cache.clear();
    expect(cache.size).toBe(0);
    cache.add([2]);
    expect(cache.nearest([1])).toMatchObject({ key: undefined, similarity: 1 });
  });
});

describe('VectorCache expiry', () => {
  it('drops an entry at the age of ttlMs, not before', () => {
    let time = 1000;
    const cache = new VectorCache({ dimensions: 1, ttlMs: 100, now: () => time });
    cache.add([1], 'old');
    time = 1099;
    cache.add([1], 'new');
    expect(cache.nearest([1])).toEqual({ key: 'old', similarity: 1, addedAt: 1000 });
    time = 1100;
    expect(cache.evictExpired()).toBe(1);
    expect(cache.nearest([1])?.key).toBe('new');
    time = 1199;
    expect([cache.evictExpired(), cache.evictExpired()]).toEqual([1, 0]);
    expect([cache.size, cache.maxCosineSimilarity([1]), cache.search([1], 1).length]).toEqual([
      0, 0, 0,
    ]);
  });

  it.each([
    ['nearest', (cache: VectorCache) => cache.nearest([1])?.key],
    ['search', (cache: VectorCache) => cache.search([1], 9)[0]?.key],
    ['a filtered nearest', (cache: VectorCache) => cache.nearest([1], { filter: () => true })?.key],
    ['entries', (cache: VectorCache) => [...cache.entries()][0]?.key],
    ['size', (cache: VectorCache) => (cache.size === 1 ? 'b' : 'another')],
    ['has', (cache: VectorCache) => (cache.has('a') ? 'a' : 'b')],
    ['delete', (cache: VectorCache) => (cache.delete('a') ? 'a' : 'b')],
  ])('is enforced by %s itself', (_, first) => {
    let time = 0;
    const cache = new VectorCache({ dimensions: 1, ttlMs: 100, now: () => time });
    cache.add([1], 'a');
    time = 50;
    cache.add([1], 'b');
    time = 100;
    expect(first(cache)).toBe('b');
  });

  it('treats a clock that goes backwards as stopped', () => {
    let time = 1000;
    const cache = new VectorCache({ dimensions: 1, ttlMs: 100, now: () => time });
    cache.add([1], 'a');
    time = 0;
    cache.add([1], 'b');
    expect(cache.search([1], 2).map((found) => found.addedAt)).toEqual([1000, 1000]);
    time = 1100;
    expect(cache.size).toBe(0);
  });
});

describe('invalid arguments of VectorCache', () => {
  const cache = new VectorCache({ dimensions: 384 });

  it('names the expected and the received length', () => {
    expect(() => cache.add(new Float32Array(383))).toThrow(
      'vector: expected 384 dimensions, received 383',
    );
    expect(() => cache.maxCosineSimilarity([])).toThrow(
      'query: expected 384 dimensions, received 0',
    );
  });

  it('names the index of NaN and infinities and adds nothing', () => {
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      const input = new Float32Array(384);
      input[7] = bad;
      expect(() => cache.add(input)).toThrow(
        `vector[7]: expected a finite number, received ${bad}`,
      );
      expect(() => cache.nearest(Array.from(input))).toThrow('query[7]: expected a finite number');
    }
    expect(cache.size).toBe(0);
  });

  it.each([
    [null, 'vector: expected an array of numbers, received null'],
    [5, 'vector: expected an array of numbers, received 5'],
    ['x'.repeat(384), 'vector: expected an array of numbers'],
    [new Array(384).fill('1'), 'vector[0]: expected a number, received "1"'],
    [new Array(384), 'vector[0]: expected a number, received nothing'],
    [
      new BigInt64Array(384),
      'vector: expected an array of numbers, received an object of class BigInt64Array',
    ],
  ])('rejects the wrong type %#', (input, message) => {
    expect(() => cache.add(input as number[])).toThrow(InvalidTypeError);
    expect(() => cache.add(input as number[])).toThrow(message);
  });

  it('rejects a non-string key and a k that is not a positive integer', () => {
    expect(() => cache.add(new Float32Array(384), 5 as unknown as string)).toThrow(
      'key: expected a string, received 5',
    );
    for (const k of [0, -1, 1.5, Number.NaN]) {
      expect(() => cache.search(new Float32Array(384), k)).toThrow(InvalidValueError);
    }
  });

  it.each([
    [{ maxElements: 0 }, 'maxElements: expected an integer from 1'],
    [{ maxElements: 1.5 }, 'maxElements: expected an integer from 1'],
    [{ maxElements: '5' }, 'maxElements: expected a number, received "5"'],
    [{ dimensions: 0 }, 'dimensions: expected an integer from 1 to 65536, received 0'],
    [{ dimensions: 65_537 }, 'dimensions: expected an integer from 1 to 65536'],
    [{ ttlMs: 0 }, 'ttlMs: expected milliseconds greater than 0, received 0'],
    [{ ttlMs: Number.NaN }, 'ttlMs: expected milliseconds greater than 0, received NaN'],
    [{ ttlMs: null }, 'ttlMs: expected a number, received null'],
    [{ now: 5 }, 'now: expected a function, received 5'],
    [{ embedderId: 5 }, 'embedderId: expected a string, received 5'],
    [null, 'options: expected an object, received null'],
  ])('rejects the options %j', (options, message) => {
    expect(() => new VectorCache(options as object)).toThrow(message);
  });

  it('rejects a clock that returns no finite number', () => {
    const broken = new VectorCache({ dimensions: 1, now: () => Number.NaN });
    expect(() => broken.add([1])).toThrow('now(): expected a finite number, received NaN');
  });
});
