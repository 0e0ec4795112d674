import { describe, expect, it } from 'bun:test';
import fc from 'fast-check';
import { byRank } from './similarity.ts';
import { TopHits } from './top-hits.ts';

describe('the best hits of some rows', () => {
  it('are the same as in a sorted list for any input', () => {
    // Few distinct values, so that ties are frequent.
    const offer = fc.record({ row: fc.nat(2), similarity: fc.constantFrom(-1, -0.5, 0, 0.5, 1) });
    const offers = fc.array(offer, { maxLength: 60 });
    fc.assert(
      fc.property(fc.nat(9), offers, fc.boolean(), (limit, list, fromTheLast) => {
        const hits = new TopHits(3, limit);
        const offered = list.map((each, index) => ({ ...each, position: index }));
        if (fromTheLast) offered.reverse();
        const rows: (typeof offered)[] = [[], [], []];
        for (const each of offered) {
          const { row, position, similarity } = each;
          hits.offer(row, position, similarity);
          const best = [...rows[row], each].sort(byRank).slice(0, limit);
          rows[row] = best;
          const worst = best.length === limit ? (best.at(-1)?.similarity ?? Infinity) : -Infinity;
          expect(hits.threshold(row)).toBe(worst);
        }
        for (const [row, best] of rows.entries()) {
          expect(hits.bestFirst(row)).toEqual(
            best.map(({ position, similarity }) => ({ position, similarity })),
          );
        }
      }),
    );
  });
});
