import { describe, expect, it } from 'bun:test';
import type { ReasoningTrace } from '@kp/schema';
import { financeTrace } from '../test/traces.ts';
import { compositeScore, readTrace, reportOf } from './formula.ts';
import type { NoveltyReport } from './score-report.ts';
import { resolveScorerOptions } from './scorer-options.ts';

const { formula } = resolveScorerOptions({ embedder: null });
const read = readTrace(financeTrace, formula, false);

describe('withinBudget', () => {
  const isWithin = (source: NoveltyReport['source'], elapsedMs: number): boolean =>
    reportOf(read, { source, truncated: false } as NoveltyReport, formula, elapsedMs, 100)
      .withinBudget;

  it.each([
    ['no_embedder', 99.9, true],
    ['no_embedder', 100, true],
    ['no_embedder', 100.1, false],
    ['budget_exceeded', 99.9, false],
    ['budget_exceeded', 100.1, false],
  ] as const)('with %s after %d of 100 ms is %p', (source, elapsedMs, expected) => {
    expect(isWithin(source, elapsedMs)).toBe(expected);
  });
});

describe('compositeScore', () => {
  const weights = { complexity: 0.1, novelty: 0.2, toolDiversity: 0.3, outcomeConfidence: 0.4 };

  it('is 0.04 + 0.1 + 0.03 + 0.08 by hand, and 0.05 more for one of the own', () => {
    const own = { complexity: 0.4, novelty: 0.5, toolDiversity: 0.1, outcomeConfidence: 0.2 };
    expect(compositeScore(own, weights)).toBeCloseTo(0.25, 12);
    expect(
      compositeScore({ ...own, style: 0.5 }, { ...weights, style: 0.1 }, ['style']),
    ).toBeCloseTo(0.3, 12);
    // Without a weight, and without a value.
    for (const other of [{ ...weights }, { ...weights, other: 0.1 }]) {
      expect(compositeScore({ ...own, style: 0.5 }, other, ['style', 'other'])).toBeCloseTo(
        0.25,
        12,
      );
    }
  });

  it('cuts off what is above 1', () => {
    const all = { complexity: 1, novelty: 1, toolDiversity: 1, outcomeConfidence: 1 };
    expect(compositeScore(all, { ...weights, novelty: 0.2000001 })).toBe(1);
  });
});

describe('readTrace', () => {
  it.each([
    ['id', { id: 5 }],
    ['id', { id: 'another' }],
    ['metadata', { metadata: { ...financeTrace.metadata, task_domain: 5 } }],
    ['metadata', { metadata: { ...financeTrace.metadata, success: 'yes' } }],
    ['task', { task: { objective: 5 } }],
    ['steps', { steps: {} }],
    ['outcome', { outcome: { ...financeTrace.outcome, confidence: '1' } }],
    ['outcome', { outcome: { ...financeTrace.outcome, confidence: -0.1 } }],
    ['outcome', { outcome: { ...financeTrace.outcome, confidence: 1.1 } }],
  ])('refuses a trace whose %s is at first %p, and valid when it is checked', (field, first) => {
    let reads = 0;
    const trace = { ...financeTrace };
    Object.defineProperty(trace, field, {
      enumerable: true,
      get: () => Reflect.get(reads++ === 0 ? first : financeTrace, field),
    });
    expect(() => readTrace(trace as ReasoningTrace, formula, false)).toThrow(
      'expected fields that stay the same while they are read',
    );
  });

  it('takes confidence at both ends of its range', () => {
    for (const confidence of [0, 1]) {
      const trace = { ...financeTrace, outcome: { ...financeTrace.outcome, confidence } };
      expect(readTrace(trace, formula, false).facts.confidence).toBe(confidence);
    }
  });

  it('reads the text only where it is wanted', () => {
    expect(read.text).toBeUndefined();
    expect(readTrace(financeTrace, formula, true).text?.text).toContain(
      financeTrace.task.objective,
    );
  });
});
