import { describe, expect, it } from 'bun:test';
import { runInNewContext } from 'node:vm';
import { VectorCache } from '@kp/vector-cache';
import { quick } from '../test/slow-parts.ts';
import { standInEmbedder } from '../test/stand-in-embedder.ts';
import { financeTrace } from '../test/traces.ts';
import type { NoveltySource, ScoreReport } from './score-report.ts';
import { createScorer } from './scorer.ts';

const sourceOf = ({ novelty }: ScoreReport): NoveltySource => novelty.source;

describe('text without anything to compare', () => {
  it('has novelty 0.5, says so, and is not remembered', async () => {
    const memory = new VectorCache({ dimensions: 16 });
    const embedder = standInEmbedder(16, () => new Float32Array(16));
    const scorer = createScorer({ embedder, memory });
    for (let call = 0; call < 3; call++) {
      const { novelty, dimensions } = await scorer.evaluate(financeTrace);
      expect(novelty).toEqual({ source: 'no_text', truncated: false, embedder: 'stand-in' });
      expect(dimensions.novelty).toBe(0.5);
    }
    await scorer.remember(financeTrace);
    expect(memory.size).toBe(0);
  });
});

describe('what is read', () => {
  it('is never out of its range, whatever a getter answers', async () => {
    for (let honest = 0; honest < 40; honest++) {
      let reads = 0;
      const trace = {
        ...financeTrace,
        outcome: {
          result_summary: '',
          get confidence() {
            return reads++ < honest ? 0.9 : 5;
          },
        },
      };
      const scorer = createScorer({ embedder: null });
      const report = await scorer.evaluate(trace).catch((error: Error) => error);
      if (report instanceof Error)
        expect(report.message).toMatch(/outcome.confidence: expected at most 1|stay the same/);
      else expect(report.dimensions.outcomeConfidence).toBe(0.9);
    }
  });

  it.each(['id', 'metadata', 'task', 'steps', 'outcome'])(
    'is refused where %s is another one at first',
    async (field) => {
      for (const first of [undefined, null, 5, {}]) {
        let reads = 0;
        const trace = { ...financeTrace };
        const value = Reflect.get(financeTrace, field);
        Object.defineProperty(trace, field, { get: () => (reads++ === 0 ? first : value) });
        const scorer = createScorer({ embedder: quick() });
        await expect(scorer.evaluate(trace)).rejects.toThrow(
          'trace: expected fields that stay the same while they are read, received one that changes',
        );
      }
    },
  );

  it('is refused where steps change after they were checked', async () => {
    const [step] = financeTrace.steps;
    const lengthIs = (length: unknown): unknown[] =>
      new Proxy([step], {
        get: (steps, name) => (name === 'length' ? length : Reflect.get(steps, name)),
      });
    for (const first of [
      [],
      [null],
      [{}],
      [{ type: 'toString' }],
      lengthIs(Number.NaN),
      lengthIs(-1),
    ]) {
      let reads = 0;
      const trace = {
        ...financeTrace,
        get steps() {
          return reads++ === 0 ? (first as never) : financeTrace.steps;
        },
      };
      await expect(createScorer({ embedder: quick() }).evaluate(trace)).rejects.toThrow(
        'stay the same',
      );
    }
  });

  it('may come from another realm: traces, vectors', async () => {
    const trace = runInNewContext(`(${JSON.stringify(financeTrace)})`);
    const foreign = runInNewContext('Float32Array.of(1, 0, 0, 0)');
    expect(foreign).not.toBeInstanceOf(Float32Array);
    const scorer = createScorer({ embedder: standInEmbedder(4, () => foreign) });
    expect(sourceOf(await scorer.evaluate(trace))).toBe('empty_memory');
    expect((await scorer.evaluate(trace)).dimensions.novelty).toBe(0);
  });
});
