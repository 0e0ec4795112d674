import { describe, expect, it } from 'bun:test';
import { runInNewContext } from 'node:vm';
import { VectorCache } from '@kp/vector-cache';
import { standInEmbedder } from '../../test/stand-in-embedder.ts';
import { financeTrace } from '../../test/traces.ts';
import type { NoveltySource, ScoreReport } from '../formula/score-report.ts';
import { createScorer } from './scorer.ts';

const sourceOf = ({ novelty }: ScoreReport): NoveltySource => novelty.source;

describe('a text without words', () => {
  it('has novelty 0.5 and is not remembered', async () => {
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

it('accepts traces and vectors of another realm', async () => {
  const trace = runInNewContext(`(${JSON.stringify(financeTrace)})`);
  const foreign = runInNewContext('Float32Array.of(1, 0, 0, 0)');
  expect(foreign).not.toBeInstanceOf(Float32Array);
  const scorer = createScorer({ embedder: standInEmbedder(4, () => foreign) });
  expect(sourceOf(await scorer.evaluate(trace))).toBe('empty_memory');
  expect((await scorer.evaluate(trace)).dimensions.novelty).toBe(0);
});
