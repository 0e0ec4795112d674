import { describe, expect, it } from 'bun:test';
import { createLexicalEmbedder, createTaskEmbedder, type Embedder } from '@kp/embedder';
import { createTrace } from '@kp/schema';
import { embedderText, traceText } from '../novelty/embed-trace.ts';
import { createScorer } from './scorer.ts';

const run = (objective: string, thought: string) =>
  createTrace({
    objective,
    success: true,
    confidence: 1,
    steps: [{ type: 'thought', content: thought }],
  });

describe('an embedder with its own text', () => {
  it('is compared only by that text', async () => {
    const scorer = createScorer({ embedder: createTaskEmbedder(), budgetMs: Infinity });
    await scorer.evaluate(run('Cancel the flight', 'alpha beta gamma'));
    const { novelty } = await scorer.evaluate(run('Cancel the flight', 'one two three four'));
    expect(novelty.nearest?.similarity).toBeCloseTo(1, 6);
    expect(novelty.embedder).toBe('task/1/lexical/5/384');
  });

  it.each<[string, () => string]>([
    [
      'throws',
      () => {
        throw new Error('no text today');
      },
    ],
    ['does not return a string', () => 5 as unknown as string],
  ])('reports the failure if it %s, and the run is still scored', async (_, textOf) => {
    const embedder: Embedder = { ...createLexicalEmbedder(), textOf };
    const scorer = createScorer({ embedder, budgetMs: Infinity });
    const { novelty, score } = await scorer.evaluate(run('Cancel it', 'Hm'));
    expect(novelty.source).toBe('embedder_failed');
    expect(score).toBeGreaterThanOrEqual(0);
    await scorer.close();
  });

  it('provides the same text to other callers', () => {
    const trace = run('Cancel it', 'Hm');
    expect(embedderText(createTaskEmbedder(), trace)).toBe('Cancel it');
    expect(embedderText(createLexicalEmbedder(), trace)).toBe(traceText(trace));
    const broken = { ...createLexicalEmbedder(), textOf: () => undefined as unknown as string };
    expect(() => embedderText(broken, trace)).toThrow('a string from textOf()');
  });
});
