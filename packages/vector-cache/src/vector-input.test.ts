import { describe, expect, it } from 'bun:test';
import { runInNewContext } from 'node:vm';
import { oracleCosine } from '../test/oracle.ts';
import { InvalidTypeError, VectorCache } from './index.ts';
import { sumOfSquares, toUnitVector } from './vector-input.ts';

const engines = ['wasm-simd', 'typescript'] as const;

describe.each(engines)('a deceptive vector in the engine %s', (engine) => {
  it('is read with its true length and does not affect other caches', () => {
    const other = new VectorCache({ dimensions: 10, engine });
    other.add(new Float32Array(10).fill(1));
    class Liar extends Float32Array {
      override get length(): number {
        return 10;
      }
    }
    const own = new Float32Array(16).fill(1);
    Object.defineProperty(own, 'length', { value: 10 });
    const cache = new VectorCache({ dimensions: 10, engine });
    for (const liar of [new Liar(16).fill(1), new Liar(3).fill(1), own]) {
      expect(() => cache.add(liar)).toThrow('vector: expected 10 dimensions, received');
      expect(() => cache.nearest(liar)).toThrow('query: expected 10 dimensions, received');
    }
    class Modest extends Float32Array {
      override get length(): number {
        return 3;
      }
    }
    cache.add(new Modest(10).fill(2));
    for (const each of [other, cache]) {
      expect(each.maxCosineSimilarity(new Array(10).fill(5))).toBeCloseTo(1, 6);
    }
  });

  it('is read once, even if its accessors use the cache meanwhile', () => {
    const cache = new VectorCache({ dimensions: 3, engine });
    cache.add([1, 0, 0], 'first');
    let reads = 0;
    const vector = {
      length: 3,
      0: 3,
      get 1() {
        reads++;
        cache.add([0, 0, 7], 'inner');
        cache.nearest([5, 5, 5]);
        cache.clear();
        cache.add([0, 0, 9], 'after');
        return 4;
      },
      2: 0,
    };
    cache.add(vector, 'outer');
    expect(reads).toBe(1);
    expect([...cache.entries()].map((entry) => [entry.key, ...entry.vector])).toEqual([
      ['after', 0, 0, 1],
      ['outer', Math.fround(0.6), Math.fround(0.8), 0],
    ]);
    expect(cache.nearest(vector)?.key).toBe('after');
    expect(reads).toBe(2);
  });

  it('that is a typed array is read by its real type', () => {
    const cache = new VectorCache({ dimensions: 3, engine, maxElements: 5000 });
    const vector = Float32Array.of(3, 4, 0);
    Object.defineProperty(vector, 'BYTES_PER_ELEMENT', {
      get: () => {
        for (let index = 0; index < 2000; index++) cache.add([0, 0, 7], 'inner');
        return 8;
      },
    });
    cache.add(vector, 'outer');
    expect(cache.nearest([3, 4, 0])).toMatchObject({ key: 'outer', similarity: 1 });
  });

  it('is rejected if the clock shortens it meanwhile', () => {
    const buffer = new ArrayBuffer(8, { maxByteLength: 8 });
    const vector = new Float32Array(buffer);
    vector[1] = 1;
    let isShrinking = false;
    const now = () => {
      if (isShrinking) buffer.resize(4);
      return 0;
    };
    const cache = new VectorCache({ dimensions: 2, engine, ttlMs: 1000, now });
    cache.add(vector, 'whole');
    const uses = {
      vector: () => cache.add(vector, 'short'),
      query: () => cache.nearest(vector),
    };
    for (const [subject, use] of Object.entries(uses)) {
      buffer.resize(8);
      isShrinking = true;
      expect(use).toThrow(`${subject}: expected 2 dimensions, received 1`);
      isShrinking = false;
      expect(cache.size).toBe(1);
    }
  });

  it('keeps its values if the clock uses the cache', () => {
    let depth = 0;
    const cache: VectorCache = new VectorCache({
      dimensions: 2,
      engine,
      ttlMs: 1000,
      now: () => {
        if (depth++ === 1) cache.add([0, 1], 'of the clock');
        return depth;
      },
    });
    cache.add([1, 0], 'a');
    cache.add([3, 4], 'b');
    expect([...cache.entries()].map((entry) => [entry.key, ...entry.vector])).toEqual([
      ['a', 1, 0],
      ['of the clock', 0, 1],
      ['b', Math.fround(0.6), Math.fround(0.8)],
    ]);
    const times = [...cache.entries()].map((entry) => entry.addedAt);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  it('is accepted from another realm', () => {
    const cache = new VectorCache({ dimensions: 3, engine });
    const foreign = (code: string) => runInNewContext(code) as number[];
    for (const code of ['[1, 2, 2]', 'Float32Array.of(1, 2, 2)', 'Float64Array.of(1, 2, 2)']) {
      cache.add(foreign(code), code);
      expect(cache.maxCosineSimilarity(foreign(code))).toBeCloseTo(1, 6);
    }
    expect(() => cache.add(foreign('Float32Array.of(1, 2)'))).toThrow('received 2');
    expect(() => cache.add(foreign('Float32Array.of(1, 2, NaN)'))).toThrow('vector[2]');
    expect(() => cache.add(foreign('BigInt64Array.of(1n, 2n, 2n)'))).toThrow('BigInt64Array');
    const bytes = cache.toBytes();
    const copy = runInNewContext('Uint8Array.from(values)', { values: [...bytes] }) as Uint8Array;
    expect(copy).not.toBeInstanceOf(Uint8Array);
    expect(VectorCache.fromBytes(copy).size).toBe(3);
  });

  it('is rejected if it only looks like a typed array', () => {
    const cache = new VectorCache({ dimensions: 2, engine });
    const view = new DataView(new ArrayBuffer(2));
    for (const wrong of [view, new Proxy(() => 1, {})]) {
      expect(() => cache.add(wrong as never)).toThrow(InvalidTypeError);
    }
    // Its `length` is an accessor that throws; the cache passes such errors on.
    expect(() => cache.add(Object.create(Float32Array.prototype))).toThrow(TypeError);
    expect(cache.size).toBe(0);
  });
});

describe('every kind of numeric array', () => {
  it('gives the same results', () => {
    const kinds = [Float32Array, Float64Array, Int8Array, Uint8ClampedArray, Int32Array];
    for (const engine of engines) {
      const cache = new VectorCache({ dimensions: 3, engine });
      for (const Kind of kinds) cache.add(Kind.of(3, 1, 2), Kind.name);
      cache.add({ length: 3, 0: 3, 1: 1, 2: 2 }, 'array-like');
      for (const found of cache.search([1, 1, 5], 9)) {
        expect(found.similarity).toBeCloseTo(oracleCosine([3, 1, 2], [1, 1, 5]), 6);
      }
    }
  });
});

describe('the arithmetic of a vector', () => {
  it('sums the squares of any part', () => {
    const values = Float64Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9);
    // The sums from the first value on are 1, 5, 14, 30, 55, 91, 140, 204 and 285.
    const sums = [0, 1, 5, 14, 30, 55, 91, 140, 204, 285];
    for (let start = 0; start <= 9; start++) {
      for (let end = start; end <= 9; end++) {
        const expected = sums[end] - sums[start];
        expect(sumOfSquares(values, start, end)).toBe(expected);
      }
    }
  });

  it('sums in the order of the kernel: component i in sum i mod 4', () => {
    // 1e16 + 1 is 1e16, and 1e16 + 2 is not.
    expect(sumOfSquares(Float64Array.of(1e8, 1, 1, 1), 0, 4)).toBe(1e16 + 2);
    expect(sumOfSquares(Float64Array.of(1e8, 0, 1, 0, 1, 0, 1, 0), 0, 8)).toBe(1e16 + 2);
    expect(sumOfSquares(Float64Array.of(1e8, 1, 0, 0, 0, 1), 0, 6)).toBe(1e16 + 2);
  });

  it.each([1, 1e-170, 1e170])('returns a vector of length 1 for components times %d', (scale) => {
    const unit = toUnitVector('vector', Float64Array.of(3 * scale, 0, -4 * scale), 3);
    expect(unit).toEqual(Float32Array.of(0.6, 0, -0.8, 0, 0, 0, 0, 0));
    expect(toUnitVector('vector', new Float32Array(3), 3)).toEqual(new Float32Array(8));
  });
});
