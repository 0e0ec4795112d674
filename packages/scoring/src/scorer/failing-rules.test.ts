import { describe, expect, it } from 'bun:test';
import { useVirtualTime } from '@kp/testing/virtual-time';
import { VectorCache } from '@kp/vector-cache';
import { batching, quick } from '../../test/slow-parts.ts';
import { hashedVector, later, standInEmbedder } from '../../test/stand-in-embedder.ts';
import { financeTrace } from '../../test/traces.ts';
import { createScorer } from './scorer.ts';

useVirtualTime();

describe('a custom rule that fails', () => {
  /** A rule that works for a number of calls, the first of which only checks that it works. */
  function rulesFor(calls: number) {
    const change = (score: number): number => {
      if (calls-- > 0) return score;
      throw new Error('broken rule');
    };
    return [{ name: 'own', applies: () => true, change }];
  }

  it('keeps the trace out of the memory at the first and at later calls', async () => {
    for (const calls of [0, 1]) {
      const memory = new VectorCache({ dimensions: 16 });
      const scorer = createScorer({ embedder: quick(), memory, rules: rulesFor(calls) });
      await expect(scorer.evaluate(financeTrace)).rejects.toThrow('broken rule');
      await scorer.close();
      expect(memory.size).toBe(0);
    }
  });

  it('keeps the trace out of the memory at the end of the budget', async () => {
    const memory = new VectorCache({ dimensions: 16 });
    const embedder = standInEmbedder(16, (text) => later(20, () => hashedVector(text, 16)));
    const scorer = createScorer({ embedder, memory, rules: rulesFor(1), budgetMs: 5 });
    await expect(scorer.evaluate(financeTrace)).rejects.toThrow('broken rule');
    await later(50, () => expect(memory.size).toBe(0));
  });

  it('keeps the trace out of a memory with compareAndRemember', async () => {
    const batches: number[] = [];
    const atomic = createScorer({
      embedder: quick(),
      memory: batching(1, batches),
      rules: rulesFor(0),
    });
    await expect(atomic.evaluate(financeTrace)).rejects.toThrow('broken rule');
    expect(batches).toEqual([]);
  });

  it('removes no entry that the trace would replace, at the first and at later calls', async () => {
    for (const calls of [2, 3]) {
      const memory = new VectorCache({ dimensions: 16 });
      const rules = rulesFor(calls);
      const replacing = createScorer({ embedder: quick(), memory, rules, sameId: 'replace' });
      await replacing.evaluate(financeTrace);
      await expect(replacing.evaluate(financeTrace)).rejects.toThrow('broken rule');
      expect([calls, memory.has(financeTrace.id)]).toEqual([calls, true]);
    }
  });
});
