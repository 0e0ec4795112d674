import { describe, expect, it } from 'bun:test';
import type { Embedder } from '@kp/embedder';
import { useVirtualTime } from '@kp/testing/virtual-time';
import { never, numbered, quick, unlimited } from '../../test/slow-parts.ts';
import { hashedVector, later, standInEmbedder } from '../../test/stand-in-embedder.ts';
import { financeTrace } from '../../test/traces.ts';
import type { NoveltySource, ScoreReport } from '../formula/score-report.ts';
import { createScorer } from './scorer.ts';
import type { ScorerWarning } from './warnings.ts';

useVirtualTime();

const silent = { onWarning: () => undefined };
const noModel = (): never => {
  throw new Error('no model');
};
const sourceOf = ({ novelty }: ScoreReport): NoveltySource => novelty.source;

describe('a stuck embedder', () => {
  it('is aborted on timeout, and the next call starts', async () => {
    const signals: AbortSignal[] = [];
    const embedder: Embedder = {
      ...quick(),
      id: 'stuck',
      embed(texts, { signal } = {}) {
        if (texts[0]?.startsWith('task 0 ') !== true) return quick().embed(texts);
        if (signal) signals.push(signal);
        return never();
      },
    };
    const warnings: ScorerWarning[] = [];
    const scorer = createScorer({
      embedder,
      budgetMs: 10,
      operationTimeoutMs: 50,
      onWarning: (warning) => warnings.push(warning),
    });
    const late = await Promise.all([scorer.evaluate(numbered(0)), scorer.evaluate(numbered(1))]);
    expect(late.map(sourceOf)).toEqual(['budget_exceeded', 'budget_exceeded']);
    await later(60, () => undefined);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(warnings.map(({ message }) => message)).toEqual([
      'embedder stuck: expected an answer within 50 ms, received none; find out why it hangs, ' +
        'or set a longer operationTimeoutMs (novelty is 0.5 until an embedding succeeds)',
    ]);
    const next = await scorer.evaluate(numbered(2));
    expect(next.novelty.source).toBe('nearest');
    expect(next.novelty.comparedWith).toBe(1);
  });

  it('does not block close() and holds at most maxPending calls', async () => {
    let asked = 0;
    const embedder: Embedder = {
      id: 'stuck',
      dimensions: 16,
      embed() {
        asked++;
        return never();
      },
    };
    const scorer = createScorer({
      embedder,
      budgetMs: 5,
      operationTimeoutMs: 100,
      maxPending: 20,
      ...silent,
    });
    const reports = await Promise.all(
      Array.from({ length: 500 }, (_, index) => scorer.evaluate(numbered(index))),
    );
    expect(asked).toBe(20);
    expect(reports.filter(({ novelty }) => novelty.source === 'overloaded')).toHaveLength(480);
    const closing = performance.now();
    await scorer.close();
    expect(performance.now() - closing).toBeLessThan(1000);
    await expect(scorer.evaluate(financeTrace)).rejects.toThrow('received a closed scorer');
  });

  it('receives one trace at a time until its abandoned calls have ended', async () => {
    let working = 0;
    let most = 0;
    const embedder: Embedder = {
      id: 'stuck',
      dimensions: 16,
      embed() {
        working++;
        return never();
      },
    };
    const scorer = createScorer({
      embedder,
      ...unlimited,
      ...silent,
      operationTimeoutMs: 10,
      maxPending: 8,
    });
    for (let round = 0; round < 5; round++) {
      const before = working;
      await Promise.all(Array.from({ length: 30 }, (_, index) => scorer.evaluate(numbered(index))));
      most = round === 0 ? most : Math.max(most, working - before);
    }
    expect(most).toBe(1);
  });

  it('rejects the calls still pending at the end of close() in order', async () => {
    const embedder = standInEmbedder(16, (text) => later(10, () => hashedVector(text, 16)));
    const memory = { nearest: never, add: () => undefined };
    const scorer = createScorer({
      embedder,
      memory,
      ...unlimited,
      ...silent,
      operationTimeoutMs: 40,
    });
    // The memory is called after 10 ms and would time out at 50; closing ends at 40.
    const ended: number[] = [];
    const reports = [0, 1].map(async (index) => {
      const { novelty } = await scorer.score(numbered(index));
      ended.push(index);
      return novelty;
    });
    const remembering = scorer.remember(numbered(2));
    await Promise.all([scorer.close(), expect(remembering).rejects.toThrow('a closed scorer')]);
    for (const novelty of await Promise.all(reports)) {
      expect(novelty).toMatchObject({
        source: 'memory_failed',
        failure: {
          code: 'SCORER_CLOSED',
          message: 'scorer: expected an open scorer, received a closed scorer; create a new one',
        },
      });
    }
    expect(ended).toEqual([0, 1]);
  });

  it('does not stop later calls', async () => {
    for (const end of ['timeout', 'signal', 'failure'] as const) {
      const embedder = standInEmbedder(16, (text) => {
        if (!text.startsWith('task 0 ')) return hashedVector(text, 16);
        return end === 'failure' ? later(5, noModel) : never();
      });
      const operationTimeoutMs = end === 'timeout' ? 10 : 10_000;
      const scorer = createScorer({ embedder, ...unlimited, ...silent, operationTimeoutMs });
      const controller = new AbortController();
      const first = scorer.evaluate(numbered(0), { signal: controller.signal });
      const behind = scorer.evaluate(numbered(1));
      await later(1, () => undefined);
      if (end === 'signal') {
        controller.abort(new Error('enough'));
        await expect(first).rejects.toThrow('enough');
      } else expect(sourceOf(await first)).toBe('embedder_failed');
      expect(sourceOf(await behind)).toBe('empty_memory');
    }
  });

  it('receives several traces again after its abandoned calls have ended', async () => {
    const release = Promise.withResolvers<void>();
    let stuck = true;
    const embedder = standInEmbedder(16, async (text) => {
      if (stuck) await release.promise;
      return hashedVector(text, 16);
    });
    const scorer = createScorer({
      embedder,
      ...unlimited,
      ...silent,
      operationTimeoutMs: 10,
      maxPending: 2,
    });
    const two = async (): Promise<NoveltySource[]> =>
      (await Promise.all([scorer.score(numbered(0)), scorer.score(numbered(1))])).map(sourceOf);
    expect(await two()).toEqual(['embedder_failed', 'embedder_failed']);
    expect(await two()).toEqual(['embedder_failed', 'overloaded']);
    stuck = false;
    release.resolve();
    await later(1, () => undefined);
    expect(await two()).toEqual(['empty_memory', 'empty_memory']);
  });
});
