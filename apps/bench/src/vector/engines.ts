import { VectorCache } from '@knowledgepulse/sdk';
import { type ContenderFactory, contenderOf } from './contender.ts';

/** The cache as it comes. */
export const defaultEngine: ContenderFactory = (set) => cacheContender('engine', set, false);

/** The cache's float32 kernel alone: every vector is read. */
export const flatEngine: ContenderFactory = (set) => cacheContender('engine, f32 only', set, true);

async function cacheContender(
  name: string,
  { count, dimensions, vectors, queries }: Parameters<ContenderFactory>[0],
  flat: boolean,
): ReturnType<ContenderFactory> {
  const cache = new VectorCache({ maxElements: count, dimensions, flat });
  for (let index = 0; index < count; index++) {
    cache.add(vectors.subarray(index * dimensions, (index + 1) * dimensions));
  }
  const set = { count, dimensions, vectors, queries };
  return contenderOf(
    name,
    set,
    (query) => cache.maxCosineSimilarity(query),
    () => cache.clear(),
  );
}
