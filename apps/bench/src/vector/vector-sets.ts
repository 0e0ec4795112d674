import type { VectorSet } from './contender.ts';

/** How the vectors of a set lie. */
export type SetKind = 'random' | 'clustered' | 'anisotropic' | 'alike';
/** Unlike everything kept, or 0.99 like one of the vectors. */
export type QueryKind = 'fresh' | 'near-duplicate';

const DIMENSIONS = 384;
const CLUSTERS = 50;
// Of the length of a vector: two that differ by so much have a cosine of about 0.99.
const NEAR = 0.14;

/** A seeded set of made-up vectors. */
export function createSet(kind: SetKind, count: number, queryCount: number): VectorSet[] {
  const random = createNormal(count);
  const centres = Array.from({ length: CLUSTERS }, () => sample(random, () => 1));
  const make: Record<SetKind, (index: number) => Float32Array> = {
    random: () => sample(random, () => 1),
    clustered: (index) =>
      add(
        centres[index % CLUSTERS] as Float32Array,
        sample(random, () => 0.5),
      ),
    alike: () =>
      add(
        centres[0] as Float32Array,
        sample(random, () => 0.05),
      ),
    anisotropic: () => sample(random, (index) => Math.exp(-index / 40)),
  };
  const vectors = new Float32Array(count * DIMENSIONS);
  for (let row = 0; row < count; row++) vectors.set(unit(make[kind](row)), row * DIMENSIONS);
  const fresh = Array.from({ length: queryCount }, (_, index) => unit(make[kind](index)));
  return withQueries(vectors, DIMENSIONS, fresh);
}

/** The set twice: with the queries given, and with near-duplicates of vectors of its own. */
export function withQueries(
  vectors: Float32Array,
  dimensions: number,
  fresh: Float32Array[],
): VectorSet[] {
  const count = vectors.length / dimensions;
  const random = createNormal(count + 1);
  const near = fresh.map((_, index) => {
    const row = Math.floor((index * count) / fresh.length);
    const original = vectors.subarray(row * dimensions, (row + 1) * dimensions);
    const spread = NEAR / Math.sqrt(dimensions);
    return unit(original.map((value) => value + spread * random()));
  });
  return [fresh, near].map((queries) => ({ dimensions, count, vectors, queries }));
}

/** The vector scaled to length 1; zeros stay. */
export function unit(vector: Float32Array): Float32Array {
  const norm = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return norm === 0 ? vector : vector.map((value) => value / norm);
}

function sample(random: () => number, spread: (index: number) => number): Float32Array {
  return Float32Array.from({ length: DIMENSIONS }, (_, index) => random() * spread(index));
}

function add(a: Float32Array, b: Float32Array): Float32Array {
  return a.map((value, index) => value + (b[index] as number));
}

/** Standard normal numbers from mulberry32, seeded (Box and Muller 1958). */
function createNormal(seed: number): () => number {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
}
