import { describe, expect, it } from 'bun:test';
import type { Embedder } from '@kp/embedder';
import { useVirtualTime } from '@kp/testing/virtual-time';
import { VectorCache } from '@kp/vector-cache';
import { collect, numbered, quick, unlimited } from '../../test/slow-parts.ts';
import { hashedVector, later, standInEmbedder } from '../../test/stand-in-embedder.ts';
import { financeTrace } from '../../test/traces.ts';
import { createFormula } from '../formula/formula.ts';
import type { NoveltySource, ScoreReport } from '../formula/score-report.ts';
import { createScorer } from './scorer.ts';

useVirtualTime();

const sourceOf = ({ novelty }: ScoreReport): NoveltySource => novelty.source;

describe('the options of one call', () => {
  it('budgetMs overrides that of the scorer', async () => {
    const embedder = standInEmbedder(16, (text) => later(30, () => hashedVector(text, 16)));
    const scorer = createScorer({ embedder, ...unlimited });
    expect(sourceOf(await scorer.score(numbered(0), { budgetMs: 5 }))).toBe('budget_exceeded');
    expect(sourceOf(await scorer.evaluate(numbered(0)))).toBe('empty_memory');
    await expect(scorer.remember(numbered(1), { budgetMs: 5 })).rejects.toThrow(
      'remember: expected an end within 5 ms, received none',
    );
    expect((await scorer.evaluate(numbered(1))).novelty.comparedWith).toBe(2);
  });

  it('are refused if a name is misspelt, also by evaluateAll and createFormula', async () => {
    const scorer = createScorer({ embedder: quick() });
    const misspelt = { timeoutMs: 5 } as object;
    const message = 'options: expected one of signal, budgetMs, received "timeoutMs"';
    for (const method of ['evaluate', 'score', 'remember'] as const) {
      await expect(scorer[method](numbered(0), misspelt)).rejects.toThrow(message);
    }
    const stream = scorer.evaluateAll([numbered(0)], { onInvald: () => undefined } as object);
    await expect(collect(stream)).rejects.toThrow('received "onInvald"; did you mean onInvalid?');
    expect(() => createFormula({ rule: [] } as object)).toThrow('did you mean rules?');
  });

  it('signal rejects the call, cancels the embedding and keeps the trace out of the memory', async () => {
    const signals: AbortSignal[] = [];
    const memory = new VectorCache({ dimensions: 16 });
    const embedder: Embedder = {
      id: 'slow',
      dimensions: 16,
      embed(texts, { signal } = {}) {
        if (signal) signals.push(signal);
        return later(20, () =>
          texts.map((text) => ({ vector: hashedVector(text, 16), truncated: false })),
        );
      },
    };
    const scorer = createScorer({ embedder, memory, ...unlimited });
    const controller = new AbortController();
    const { signal } = controller;
    const calls = [
      scorer.evaluate(numbered(0), { signal }),
      scorer.score(numbered(1), { signal }),
      scorer.remember(numbered(2), { signal }),
    ];
    const other = scorer.evaluate(numbered(3));
    controller.abort(new Error('no longer needed'));
    for (const call of await Promise.allSettled(calls)) {
      expect(call).toMatchObject({ status: 'rejected', reason: { message: 'no longer needed' } });
    }
    await expect(scorer.evaluate(numbered(4), { signal })).rejects.toThrow('no longer needed');
    expect(sourceOf(await other)).toBe('empty_memory');
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true, false]);
    expect(memory.size).toBe(1);
  });

  it('an aborted signal rejects before embedding, and without an embedder', async () => {
    const signal = AbortSignal.abort(new Error('too late'));
    const embedder = quick();
    for (const scorer of [createScorer({ embedder: null }), createScorer({ embedder })]) {
      for (const call of ['evaluate', 'score', 'remember'] as const) {
        await expect(scorer[call](financeTrace, { signal })).rejects.toThrow('too late');
      }
    }
    expect(embedder.asked).toEqual([]);
  });

  it.each([
    [{ budgetMs: 0 }, 'budgetMs: expected milliseconds above 0, or Infinity, received 0'],
    [{ budgetMs: '5' }, 'budgetMs: expected milliseconds above 0, or Infinity, received "5"'],
    [{ signal: {} }, 'signal: expected an AbortSignal, received an object'],
    [7, 'options: expected an object, received 7'],
    [null, 'options: expected an object, received null'],
  ])('%p is rejected', async (options, message) => {
    const scorer = createScorer({ embedder: null });
    await expect(scorer.evaluate(financeTrace, options as never)).rejects.toThrow(message);
    await expect(scorer.remember(financeTrace, options as never)).rejects.toThrow(message);
  });
});
