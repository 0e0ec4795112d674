import { describe, expect, it } from 'bun:test';
import { useVirtualTime } from '@kp/testing/virtual-time';
import { never, numbered, serial, unlimited } from '../../test/slow-parts.ts';
import { hashedVector, later, standInEmbedder } from '../../test/stand-in-embedder.ts';
import type { NoveltySource, ScoreReport } from '../formula/score-report.ts';
import { createScorer } from './scorer.ts';

useVirtualTime();

const silent = { onWarning: () => undefined };
const sourceOf = ({ novelty }: ScoreReport): NoveltySource => novelty.source;

describe('twice the capacity', () => {
  it('uses the full capacity: admitted calls are answered in time and the rest is shed', async () => {
    const embedder = serial(10);
    const scorer = createScorer({ embedder, ...silent });
    const pending: Promise<ScoreReport>[] = [];
    const begin = performance.now();
    for (let index = 0; index < 300; index++) {
      pending.push(scorer.evaluate(numbered(index)));
      await later(5, () => undefined);
    }
    const sources = (await Promise.all(pending)).map(sourceOf);
    const count = (source: NoveltySource) => sources.filter((other) => other === source).length;
    const real = count('nearest') + count('empty_memory');
    const late = count('budget_exceeded');
    expect(real + late + count('overloaded')).toBe(300);
    // The embedder is always busy, and rarely works on a call whose answer is too late.
    expect(embedder.busyMs / (performance.now() - begin)).toBeGreaterThan(0.98);
    expect(real / (real + late)).toBeGreaterThan(0.95);
  }, 20_000);

  it('is detected even if the first call, which loads a model, was slow', async () => {
    const embedder = serial(5, 300);
    const scorer = createScorer({ embedder, budgetMs: 50, ...silent });
    const pending: Promise<ScoreReport>[] = [];
    const begin = performance.now();
    for (let index = 0; performance.now() < begin + 1800; index++) {
      pending.push(scorer.evaluate(numbered(index)));
      await later(2, () => undefined);
    }
    const sources = (await Promise.all(pending)).map(sourceOf).slice(-pending.length / 4);
    const count = (source: NoveltySource) => sources.filter((other) => other === source).length;
    // Without detection, every answer in the last quarter would be late.
    expect(count('nearest')).toBeGreaterThan(80);
    expect(count('budget_exceeded')).toBe(0);
  }, 20_000);

  it('is not an overload for an embedder that batches texts', async () => {
    const embedder = standInEmbedder(16, (text) => later(30, () => hashedVector(text, 16)));
    const scorer = createScorer({ embedder, budgetMs: 5000 });
    const pending: Promise<ScoreReport>[] = [];
    for (let round = 0; round < 30; round++) {
      for (let index = 0; index < 40; index++) pending.push(scorer.evaluate(numbered(index)));
      await later(5, () => undefined);
    }
    const sources = new Set((await Promise.all(pending)).map(sourceOf));
    expect(sources).not.toContain('overloaded');
  });

  it('is reported for each rejected call, with one warning per episode', async () => {
    const release = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const embedder = standInEmbedder(16, async (text) => {
      await release[embedder.asked.length - 1]?.promise;
      return hashedVector(text, 16);
    });
    const warned: string[] = [];
    const scorer = createScorer({
      embedder,
      maxPending: 1,
      ...unlimited,
      onWarning: ({ code, message }) => warned.push(`${code} ${message}`),
    });
    const warning =
      'OVERLOADED scorer: expected room among 1 pending traces, received none; try again later, ' +
      'or set a larger maxPending (shed traces are not remembered)';
    for (const round of [0, 1]) {
      const first = scorer.evaluate(numbered(round));
      const shed = [await scorer.score(numbered(2)), await scorer.evaluate(numbered(2))];
      for (const { novelty, dimensions } of shed) {
        expect(novelty).toStrictEqual({
          source: 'overloaded',
          truncated: false,
          embedder: 'stand-in',
        });
        expect(dimensions.novelty).toBe(0.5);
      }
      release[round]?.resolve();
      expect((await first).novelty.comparedWith).toBe(round);
      expect(warned).toEqual(Array.from({ length: round + 1 }, () => warning));
    }
  });

  it('rejects remember() because it has no report', async () => {
    const scorer = createScorer({
      embedder: standInEmbedder(16, never),
      maxPending: 1,
      ...silent,
      operationTimeoutMs: 20,
    });
    const first = scorer.remember(numbered(0));
    await expect(scorer.remember(numbered(1))).rejects.toThrow(
      'scorer: expected room among 1 pending traces, received none',
    );
    await expect(first).rejects.toThrow('expected an answer within 20 ms');
  });
});
