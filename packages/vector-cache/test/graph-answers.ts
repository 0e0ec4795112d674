import { similarityGraph } from '../src/index.ts';
import { createRandom } from './random.ts';

/** An exact graph as text, and the engine that computed it. */
export async function graphAnswers(threads: number): Promise<{ found: string; by: string }> {
  const random = createRandom(11);
  const vectors = Array.from({ length: 1100 }, () =>
    Float32Array.from({ length: 30 }, () => random() - 0.5),
  );
  const keys = vectors.map((_, index) => `${(index * 7919) % 10_007}`);
  const graph = await similarityGraph(vectors, { keys, neighbors: 6, threads });
  const { engine, threads: used, fallback } = graph.computation;
  const found = JSON.stringify([[...graph.indices], [...graph.similarities]]);
  return { found, by: `${engine} ${used} ${fallback === undefined ? '' : 'fallback'}`.trim() };
}
