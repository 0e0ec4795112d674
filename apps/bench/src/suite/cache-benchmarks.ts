import { VectorCache } from '@knowledgepulse/sdk';
import { randomVectors } from '../inputs/random-vectors.ts';
import type { BenchmarkFactory } from './benchmark.ts';

const DIMENSIONS = 384;
const QUERIES = 16;

/** Comparing with all that is remembered, and remembering once the cache is full. */
export const cacheBenchmarks: readonly BenchmarkFactory[] = [1000, 10_000, 100_000].map((size) => ({
  group: 'cache',
  create() {
    const cache = new VectorCache({ maxElements: size, dimensions: DIMENSIONS });
    const vectors = randomVectors(1000, DIMENSIONS, 5);
    // Random vectors are costly to make; permuting the components gives others as far apart.
    for (let index = 0; index < size; index++) {
      cache.add(rotated(vectors[index % vectors.length] as Float32Array, index));
    }
    const queries = randomVectors(QUERIES, DIMENSIONS, 6);
    let next = 0;
    const query = (): Float32Array => queries[next++ % QUERIES] as Float32Array;
    const common = { group: 'cache', size };
    return [
      { ...common, name: 'scan', run: () => cache.maxCosineSimilarity(query()) },
      { ...common, name: 'add', run: () => cache.add(query()) },
    ];
  },
}));

function rotated(vector: Float32Array, index: number): Float32Array {
  const by = Math.floor(index / 1000) % vector.length;
  const result = new Float32Array(vector.length);
  result.set(vector.subarray(by));
  result.set(vector.subarray(0, by), vector.length - by);
  return result;
}
