import { describe, expect, it } from 'bun:test';
import fc from 'fast-check';
import { CandidateHeap } from './facility-location.ts';

describe('CandidateHeap', () => {
  it('returns the greatest bound first, with ties to the smallest candidate', () => {
    const bounds = fc.array(fc.integer({ min: -3, max: 3 }), { maxLength: 20 });
    fc.assert(
      fc.property(bounds, fc.nat({ max: 20 }), (all, popped) => {
        const heap = new CandidateHeap(all.length + 1);
        const left = all.map((bound, candidate) => ({ candidate, bound }));
        const takeBest = (): void => {
          left.sort((a, b) => b.bound - a.bound || a.candidate - b.candidate);
          expect(heap.greatest).toBe(left[0]?.bound ?? Number.NEGATIVE_INFINITY);
          expect(heap.size).toBe(left.length);
          if (left.length > 0) expect(heap.pop()).toBe(left.shift()?.candidate as number);
        };
        for (const [candidate, bound] of all.entries()) heap.push(candidate, bound);
        for (let round = 0; round < popped; round++) takeBest();
        heap.push(100, 0.5);
        left.push({ candidate: 100, bound: 0.5 });
        while (left.length > 0) takeBest();
        takeBest();
      }),
    );
  });
});
