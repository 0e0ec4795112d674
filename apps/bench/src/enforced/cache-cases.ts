import { VectorCache } from '@knowledgepulse/sdk';
import { randomVectors } from '../inputs/random-vectors.ts';
import type { RowCase } from './cases.ts';
import type { RowId } from './latency-table.ts';
import type { Subjects } from './subjects.ts';

const REMEMBERED = 1000;
const QUERIES = 16;

/** The two operations of a full cache, with vectors that it has not seen. */
export function createCacheCase(id: RowId, subjects: Subjects): RowCase | undefined {
  if (id !== 'scan' && id !== 'add') return undefined;
  const cache = createFullCache();
  const vectors = randomVectors(QUERIES, cache.dimensions, 3);
  if (id === 'add') {
    return {
      operations: QUERIES,
      run() {
        for (const vector of vectors) subjects.add(cache, vector);
        return cache.size;
      },
    };
  }
  return {
    operations: QUERIES,
    run() {
      let sum = 0;
      for (const vector of vectors) sum += subjects.maxCosineSimilarity(cache, vector);
      return sum;
    },
  };
}

/** Bytes that a cache of 1,000 vectors of 384 holds, a vector. */
export function memoryPerVector(): number {
  return createFullCache().memoryBytes / REMEMBERED;
}

function createFullCache(): VectorCache {
  const cache = new VectorCache({ maxElements: REMEMBERED });
  for (const vector of randomVectors(REMEMBERED, cache.dimensions, 2)) cache.add(vector);
  return cache;
}
