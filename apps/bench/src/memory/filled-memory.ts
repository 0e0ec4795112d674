import { type DurableMemory, openMemory } from '@kp/memory';
import { randomVectors } from '../inputs/random.ts';

/** The embedding space of all that is measured. */
export const SPACE = { id: 'bench/384', dimensions: 384 } as const;

/** More than is ever remembered here, so that nothing is pruned while it is timed. */
export const MOST = 200_000;

const AT_ONCE = 500;

/** A memory with `size` vectors, of random directions by default; and the vectors. */
export async function fillMemory(
  location: string,
  size: number,
  namespace = 'default',
  vectors: readonly Float32Array[] = randomVectors(size, SPACE.dimensions, size),
): Promise<{ readonly memory: DurableMemory; readonly vectors: readonly Float32Array[] }> {
  const memory = await openMemory(location, { embedder: SPACE, maxElements: MOST, namespace });
  for (let from = 0; from < size; from += AT_ONCE) {
    const batch = vectors.slice(from, from + AT_ONCE);
    await memory.addAll(batch.map((vector, i) => ({ key: `${from + i}`, vector })));
  }
  return { memory, vectors };
}
