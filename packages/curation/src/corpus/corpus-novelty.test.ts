import { describe, expect, it } from 'bun:test';
import fc from 'fast-check';
import { corpora, graphOf, reordered, shuffledCorpora } from '../../test/corpora.ts';
import { corpusNovelty } from './corpus-novelty.ts';

describe('corpusNovelty', () => {
  it('is 0.5 for one run, and 0.75 for two orthogonal ones', async () => {
    const vectors = [Float32Array.of(1, 0), Float32Array.of(0, 1)];
    expect([
      ...corpusNovelty(await graphOf({ vectors: vectors.slice(0, 1), keys: ['a'] })),
    ]).toEqual([0.5]);
    // In half of the orders the other run comes first: novelty 1; in the other half no run does:
    // 0.5.
    expect([...corpusNovelty(await graphOf({ vectors, keys: ['a', 'b'] }))]).toEqual([0.75, 0.75]);
  });

  it('is the mean of the streaming novelty over all orders', async () => {
    await fc.assert(
      fc.asyncProperty(corpora(5), async (corpus) => {
        const graph = await graphOf(corpus);
        const runs = corpus.keys.map((_, run) => run);
        const sums = new Float64Array(runs.length);
        const orders = permutations(runs);
        for (const order of orders) {
          order.forEach((run, position) => {
            const before = order.slice(0, position).map((other) => {
              return graph.similarity(run, other);
            });
            const novelty =
              position === 0 ? 0.5 : Math.min(1, Math.max(0, 1 - Math.max(...before)));
            sums[run] = sums[run] + novelty;
          });
        }
        const found = corpusNovelty(graph);
        for (const run of runs) {
          expect(found[run]).toBeCloseTo(sums[run] / orders.length, 6);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('is bit-identical for any input order', async () => {
    await fc.assert(
      fc.asyncProperty(
        shuffledCorpora(12),
        fc.integer({ min: 1, max: 12 }),
        async ([corpus, order], kept) => {
          const plain = corpusNovelty(await graphOf(corpus, kept));
          const shuffled = corpusNovelty(await graphOf(reordered(corpus, order), kept));
          expect([...shuffled]).toEqual(order.map((run) => plain[run]));
        },
      ),
    );
  });
});

function permutations(runs: readonly number[]): number[][] {
  if (runs.length === 0) return [[]];
  return runs.flatMap((run) =>
    permutations(runs.filter((other) => other !== run)).map((rest) => [run, ...rest]),
  );
}
