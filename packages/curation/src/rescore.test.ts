import { describe, expect, it } from 'bun:test';
import type { ScoreReport } from '@kp/scoring';
import { rescore } from './rescore.ts';

type Override = ScoreReport['overrides'][number];

/** A report of dimensions all of one value, each of a quarter of the weight. */
function reportOf(value: number, overrides: readonly (readonly [string, number, number])[] = []) {
  const names = ['complexity', 'novelty', 'toolDiversity', 'outcomeConfidence'];
  return {
    dimensions: Object.fromEntries(names.map((name) => [name, value])),
    weights: Object.fromEntries(names.map((name) => [name, 0.25])),
    overrides: overrides.map(([rule, before, after]) => ({ rule, before, after }) as Override),
  } as unknown as ScoreReport;
}

describe('rescore', () => {
  it('takes another novelty and other weights, by hand', () => {
    const report = reportOf(0.4);
    expect(rescore(report, {})).toBeCloseTo(0.4, 12);
    expect(rescore(report, { novelty: 1 })).toBeCloseTo(0.55, 12);
    const weights = { ...report.weights, complexity: 0.75, novelty: 0 };
    expect(rescore(report, { weights })).toBeCloseTo(0.5, 12);
    expect(rescore(report, { weights: { ...weights, complexity: 4 } })).toBe(1);
  });

  it('counts a dimension without a weight for nothing', () => {
    const { novelty: _, ...weights } = reportOf(0).weights;
    expect(rescore(reportOf(0.4), { weights: weights as ScoreReport['weights'] })).toBeCloseTo(
      0.3,
      12,
    );
  });

  it('adds what a rule added, in full where it had been cut', () => {
    expect(rescore(reportOf(0.5, [['error_recovery_bonus', 0.95, 1]]), {})).toBeCloseTo(0.6, 12);
    expect(rescore(reportOf(0.95, [['error_recovery_bonus', 0.95, 1]]), {})).toBe(1);
    expect(rescore(reportOf(0.5, [['low_tool_diversity', 0.04, 0]]), {})).toBeCloseTo(0.4, 12);
    expect(rescore(reportOf(0.05, [['low_tool_diversity', 0.05, 0]]), {})).toBe(0);
    expect(rescore(reportOf(0.5, [['own_rule', 0.3, 0.55]]), {})).toBeCloseTo(0.75, 12);
  });

  it('sets what the rule of a single thought sets', () => {
    expect(rescore(reportOf(0.5, [['single_thought', 0.9, 0.1]]), {})).toBe(0.1);
  });
});
