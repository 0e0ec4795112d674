import { describe, expect, it } from 'bun:test';
import { createRandom } from '../test/random.ts';
import { refusingMemory } from '../test/refusals.ts';
import { sharedBytes } from './arena.ts';
import { VectorCache } from './index.ts';

const DIMENSIONS = 384;
const KEPT = 2 ** 20;
const now = () => 0;

function vectors(count: number): Float32Array[] {
  const random = createRandom(count);
  return Array.from({ length: count }, () =>
    Float32Array.from({ length: DIMENSIONS }, () => random() - 0.5),
  );
}

function fill(cache: VectorCache, count: number): VectorCache {
  const some = vectors(100);
  for (let index = 0; index < count; index++) {
    cache.add(some[index % some.length], `${index}`);
  }
  return cache;
}

/** Runs the garbage collector until a condition holds. */
async function collected(isDone: () => boolean): Promise<boolean> {
  for (let round = 0; round < 100 && !isDone(); round++) {
    Bun.gc(true);
    await Bun.sleep(10);
  }
  return isDone();
}

describe('memory', () => {
  it('is at most 2,100 bytes per entry of 384 dimensions, and about 1,550 if flat', () => {
    for (const count of [1000, 20_000]) {
      const bounded = fill(new VectorCache({ maxElements: count }), count);
      expect(bounded.memoryBytes / count).toBeLessThan(2000);
      const flat = fill(new VectorCache({ maxElements: count, flat: true }), count);
      expect(flat.memoryBytes / count).toBeLessThan(1560);
      bounded.clear();
      flat.clear();
    }
  });

  it('includes the times and the key index, as calculated by hand', () => {
    const cache = new VectorCache({ dimensions: 8, engine: 'typescript', now });
    expect(cache.memoryBytes).toBe(16 * 8);
    for (let index = 0; index < 3; index++) cache.add(new Float32Array(8).fill(1), `${index}`);
    // Rows of 8 float32; columns of 16 float64: one for the times and two for the keys.
    expect(cache.memoryBytes).toBe(3 * 8 * 4 + 16 * 8);
    cache.has('0');
    expect(cache.memoryBytes).toBe(3 * 8 * 4 + 3 * 16 * 8);
    cache.clear();
    expect(cache.memoryBytes).toBe(16 * 8);
  });

  it('is released on clear', async () => {
    // Frees the memory of other tests first; an empty arena of up to 1 MB stays.
    expect(await collected(() => sharedBytes() <= KEPT)).toBe(true);
    const cache = fill(new VectorCache(), 1000);
    expect(sharedBytes()).toBeGreaterThan(1_900_000);
    cache.clear();
    expect(cache.memoryBytes).toBe(16 * 8);
    expect(sharedBytes()).toBeLessThanOrEqual(KEPT);
  });

  it('is released when caches are garbage-collected', async () => {
    (() => {
      for (let index = 0; index < 20; index++) fill(new VectorCache(), 1000);
    })();
    expect(sharedBytes()).toBeGreaterThan(1_900_000);
    expect(await collected(() => sharedBytes() <= KEPT)).toBe(true);
  }, 60_000);

  it.each([0, 1])(
    'is reserved immediately for the expected entries after %p, without a guarantee',
    (before) => {
      const cache = new VectorCache({ maxElements: 30_000, now });
      expect(() => cache.reserve(0)).toThrow('count: expected an integer from 1');
      fill(cache, before);
      const { grow } = WebAssembly.Memory.prototype;
      let growths = 0;
      WebAssembly.Memory.prototype.grow = function (this: WebAssembly.Memory, pages) {
        growths++;
        return grow.call(this, pages);
      };
      try {
        cache.reserve(20_000);
        const atFirst = growths;
        fill(cache, 19_000);
        expect(growths).toBe(atFirst);
        fill(cache, 11_000);
        expect(growths).toBeGreaterThan(atFirst);
      } finally {
        WebAssembly.Memory.prototype.grow = grow;
      }
      expect(cache.size).toBe(30_000);
      // A full cache allocates no more memory, whatever the request.
      expect(
        refusingMemory(
          () => true,
          () => cache.reserve(10 ** 9),
        ),
      ).toBe(0);
      const fresh = new VectorCache({ now });
      refusingMemory(
        (growth) => growth > 0,
        () => fresh.reserve(50_000),
      );
      expect(fill(fresh, 10).size).toBe(10);
      cache.clear();
    },
  );

  it('is reused by later caches', async () => {
    for (let index = 0; index < 200; index++) fill(new VectorCache(), 100).clear();
    const kept = fill(new VectorCache(), 100);
    expect(sharedBytes()).toBeLessThan(20_000_000);
    expect(kept.size).toBe(100);
  });

  it('stays proportional when entries expire', () => {
    let time = 0;
    const cache = new VectorCache({ maxElements: 1_000_000, ttlMs: 50, now: () => time });
    const some = vectors(50);
    for (let index = 0; index < 20_000; index++) {
      time++;
      cache.add(some[index % 50]);
    }
    expect(cache.size).toBe(50);
    expect(cache.memoryBytes).toBeLessThan(5_000_000);
  });

  it('moves with its entries when a cache outgrows the shared memory', () => {
    const small = fill(new VectorCache(), 10);
    const cache = fill(new VectorCache({ maxElements: 15_000, now }), 15_000);
    const plain = fill(new VectorCache({ maxElements: 15_000, now, engine: 'typescript' }), 15_000);
    for (const query of vectors(5)) expect(cache.search(query, 9)).toEqual(plain.search(query, 9));
    expect(small.size).toBe(10);
    cache.clear();
    expect(fill(cache, 3).size).toBe(3);
  });

  it('moves immediately if the expected entries exceed the shared memory', async () => {
    expect(await collected(() => sharedBytes() <= KEPT)).toBe(true);
    const cache = fill(new VectorCache({ maxElements: 10_000, now }), 5000);
    const plain = fill(new VectorCache({ maxElements: 10_000, now, engine: 'typescript' }), 5000);
    // Existing and expected entries take 9.7 MB each, together more than 16 MB.
    expect(sharedBytes()).toBeGreaterThan(9_000_000);
    cache.reserve(10_000);
    expect(sharedBytes()).toBeLessThanOrEqual(KEPT);
    for (const query of vectors(5)) expect(cache.search(query, 9)).toEqual(plain.search(query, 9));
    cache.clear();
    const grown = fill(new VectorCache({ maxElements: 10_000, now }), 9000);
    expect(sharedBytes()).toBeLessThanOrEqual(KEPT);
    grown.clear();
  });

  it('stays if no new memory is available', async () => {
    expect(await collected(() => sharedBytes() <= KEPT)).toBe(true);
    const cache = fill(new VectorCache({ maxElements: 10_000, now }), 5000);
    const plain = fill(new VectorCache({ maxElements: 10_000, now, engine: 'typescript' }), 5000);
    // A new memory can be created, but it cannot grow beyond its first page.
    refusingMemory(
      (growth) => growth > 0,
      () => cache.reserve(10_000),
    );
    expect(sharedBytes()).toBeGreaterThan(9_000_000);
    for (const query of vectors(5)) expect(cache.search(query, 9)).toEqual(plain.search(query, 9));
    cache.clear();
  });

  it('is reserved immediately for a snapshot', async () => {
    const bytes = fill(new VectorCache({ maxElements: 2000, now }), 2000).toBytes();
    expect(await collected(() => sharedBytes() <= KEPT)).toBe(true);
    let cache: VectorCache | undefined;
    const read = () => {
      cache = VectorCache.fromBytes(bytes);
    };
    expect(refusingMemory(() => false, read)).toBeLessThanOrEqual(2);
    cache?.clear();
  });

  it('is shared by many caches with different dimensions', () => {
    const random = createRandom(3);
    const caches = Array.from({ length: 60 }, (_, index) => {
      const options = { dimensions: 60 + (index % 30), maxElements: 50 + index * 5, now };
      return [
        new VectorCache(options),
        new VectorCache({ ...options, engine: 'typescript' }),
      ] as const;
    });
    for (let round = 0; round < 20_000; round++) {
      const [cache, plain] = caches[Math.floor(random() * 60)];
      const vector = Array.from({ length: cache.dimensions }, () => random() - 0.5);
      if (round % 7 === 0) expect(cache.nearest(vector)).toEqual(plain.nearest(vector));
      cache.add(vector, `${round}`);
      plain.add(vector, `${round}`);
    }
  });
});
