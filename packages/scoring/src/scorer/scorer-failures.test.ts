import { describe, expect, it } from 'bun:test';
import type * as embedders from '@kp/embedder';
import { useVirtualTime } from '@kp/testing/virtual-time';
import { VectorCache } from '@kp/vector-cache';
import { quick } from '../../test/slow-parts.ts';
import { hashedVector, later, standInEmbedder } from '../../test/stand-in-embedder.ts';
import { financeTrace, traceWith } from '../../test/traces.ts';
import { createScorer } from './scorer.ts';
import type { ScorerWarning } from './warnings.ts';

const time = useVirtualTime();

describe('the budget', () => {
  it('results in novelty 0.5, and the trace is remembered later in call order', async () => {
    const release = Promise.withResolvers<void>();
    const embedder = standInEmbedder(16, async (text) => {
      if (text.startsWith('slow')) await release.promise;
      return hashedVector(text, 16);
    });
    const added: string[] = [];
    const cache = new VectorCache({ dimensions: 16 });
    const memory = {
      get size() {
        return cache.size;
      },
      nearest: (vector: Float32Array) => cache.nearest(vector),
      add(vector: Float32Array, key: string) {
        added.push(key);
        cache.add(vector, key);
      },
    };
    const scorer = createScorer({ embedder, memory, budgetMs: 20 });
    const slow = scorer.evaluate(traceWith({ id: 'kp:trace:slow', objective: 'slow' }));
    const behind = scorer.evaluate(traceWith({ id: 'kp:trace:behind', objective: 'quick' }));
    for (const report of [await slow, await behind]) {
      expect(report.novelty).toEqual({
        source: 'budget_exceeded',
        truncated: false,
        embedder: 'stand-in',
      });
      expect(report.dimensions.novelty).toBe(0.5);
      expect(report.withinBudget).toBe(false);
      expect(report.elapsedMs).toBeGreaterThan(15);
    }
    expect(added).toEqual([]);
    release.resolve();
    const repeat = await scorer.evaluate(traceWith({ id: 'kp:trace:repeat', objective: 'slow' }));
    expect(added).toEqual(['kp:trace:slow', 'kp:trace:behind', 'kp:trace:repeat']);
    expect(repeat.novelty.nearest?.key).toBe('kp:trace:slow');
    expect(repeat.withinBudget).toBe(true);
  });

  it('includes the time that embed() blocks', async () => {
    const embedder: embedders.Embedder = {
      id: 'blocking',
      dimensions: 4,
      embed() {
        time.pass(60);
        return new Promise(() => undefined);
      },
    };
    // The result is between the budget of 100 ms and the 160 ms of a timer started after blocking.
    const marker = later(140, () => 'late');
    const evaluation = createScorer({ embedder, budgetMs: 100 }).evaluate(financeTrace);
    const winner = await Promise.race([evaluation.then(({ novelty }) => novelty.source), marker]);
    expect(winner).toBe('budget_exceeded');
  });

  it('is unlimited if it exceeds the longest timer', async () => {
    const scorer = createScorer({
      embedder: standInEmbedder(4, () => later(20, () => Float32Array.of(1, 0, 0, 0))),
      budgetMs: 2 ** 40,
    });
    expect((await scorer.evaluate(financeTrace)).novelty.source).toBe('empty_memory');
  });
});

describe('failures', () => {
  it('of the embedder result in 0.5 and are reported once per episode', async () => {
    let broken = true;
    const warnings: ScorerWarning[] = [];
    const embedder = standInEmbedder(4, () => {
      if (broken)
        throw Object.assign(new Error('model.onnx: expected a model, received 3 bytes'), {
          code: 'LOAD',
        });
      return Float32Array.of(1, 0, 0, 0);
    });
    const scorer = createScorer({ embedder, onWarning: (warning) => warnings.push(warning) });
    for (let call = 0; call < 3; call++) {
      const { novelty, dimensions } = await scorer.evaluate(financeTrace);
      expect(dimensions.novelty).toBe(0.5);
      expect(novelty).toEqual({
        source: 'embedder_failed',
        truncated: false,
        embedder: 'stand-in',
        failure: { code: 'LOAD', message: 'model.onnx: expected a model, received 3 bytes' },
      });
    }
    await expect(scorer.remember(financeTrace)).rejects.toThrow('received 3 bytes');
    expect(warnings.map(({ code }) => code)).toEqual(['EMBEDDER_FAILED']);
    broken = false;
    expect((await scorer.evaluate(financeTrace)).novelty.source).toBe('empty_memory');
    broken = true;
    await scorer.evaluate(financeTrace);
    expect(warnings).toHaveLength(2);
  });

  it('of the memory result in 0.5, are reported once per episode, and do not stop the next call', async () => {
    const cache = new VectorCache({ dimensions: 16 });
    const warnings: ScorerWarning[] = [];
    let failing = true;
    const memory = {
      get size() {
        return cache.size;
      },
      nearest: (vector: Float32Array) => cache.nearest(vector),
      add(vector: Float32Array, key: string) {
        if (failing) throw new Error('disk full');
        cache.add(vector, key);
      },
    };
    const scorer = createScorer({ embedder: quick(), memory, onWarning: (w) => warnings.push(w) });
    for (let call = 0; call < 3; call++) {
      const { novelty, dimensions } = await scorer.evaluate(financeTrace);
      expect(dimensions.novelty).toBe(0.5);
      expect(novelty).toEqual({
        source: 'memory_failed',
        truncated: false,
        embedder: 'stand-in',
        failure: { code: 'MEMORY_FAILED', message: 'memory: add failed: disk full' },
      });
    }
    await expect(scorer.remember(financeTrace)).rejects.toThrow('memory: add failed: disk full');
    expect(warnings.map(({ code }) => code)).toEqual(['MEMORY_FAILED']);
    failing = false;
    expect((await scorer.evaluate(financeTrace)).novelty.source).toBe('empty_memory');
    failing = true;
    await scorer.evaluate(financeTrace);
    expect(warnings).toHaveLength(2);
  });

  it('of the memory after the budget are a warning', async () => {
    const warned = Promise.withResolvers<ScorerWarning>();
    const embedder = standInEmbedder(4, () => later(30, () => Float32Array.of(1, 0, 0, 0)));
    const memory = {
      size: 0,
      nearest: () => undefined,
      add: () => Promise.reject(new Error('disk full')),
    };
    const scorer = createScorer({ embedder, memory, budgetMs: 5, onWarning: warned.resolve });
    expect((await scorer.evaluate(financeTrace)).novelty.source).toBe('budget_exceeded');
    expect(await warned.promise).toMatchObject({
      code: 'MEMORY_FAILED',
      message: 'memory: add failed: disk full',
    });
  });
});
