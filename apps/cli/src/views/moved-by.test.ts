import { describe, expect, it } from 'bun:test';
import type { ScoreReport } from '@knowledgepulse/sdk';
import { movedBy } from './moved-by.ts';

const report: ScoreReport = {
  traceId: 'kp:trace:x',
  score: 0.6,
  formula: {
    name: 'knowledgepulse',
    version: '1',
    own: { dimensions: [], rules: [], profiles: [] },
  },
  profile: 'default',
  weights: { complexity: 0.25, novelty: 0.35, toolDiversity: 0.15, outcomeConfidence: 0.25 },
  dimensions: { complexity: 0.5, novelty: 0.9, toolDiversity: 0.5, outcomeConfidence: 0.5 },
  contributions: {
    complexity: 0.125,
    novelty: 0.315,
    toolDiversity: 0.075,
    outcomeConfidence: 0.125,
  },
  composite: 0.64,
  overrides: [],
  facts: {
    steps: 5,
    stepTypes: 2,
    errorRecoveries: 1,
    uniqueTools: 1,
    singleThought: false,
    success: true,
    confidence: 0.5,
  },
  complexity: { stepTypes: 0.25, errorRecovery: 0.2, length: 0.05 },
  novelty: { source: 'nearest', nearest: { key: 'kp:trace:y', similarity: 0.1 }, truncated: false },
  elapsedMs: 1,
  withinBudget: true,
};

describe('movedBy', () => {
  it('names the dimension furthest from 0.5 times its weight: 0.4 · 0.35', () => {
    expect(movedBy(report)).toBe('+0.14 novelty 0.90');
  });

  it('lists rules first, with their change', () => {
    const overrides = [
      { rule: 'error_recovery_bonus', label: 'recovered more than twice', before: 0.95, after: 1 },
      { rule: 'low_tool_diversity', label: 'one tool only', before: 1, after: 0.9 },
    ] as const;
    expect(movedBy({ ...report, overrides })).toBe(
      '+0.05 recovered more than twice, −0.10 one tool only',
    );
  });

  it('names a trace that is close', () => {
    const novelty = { ...report.novelty, nearest: { key: 'kp:trace:y', similarity: 0.8 } };
    expect(movedBy({ ...report, novelty })).toBe('0.80 like y');
  });

  it('reports that the novelty is unknown', () => {
    const novelty = { source: 'embedder_failed', truncated: false } as const;
    expect(movedBy({ ...report, novelty })).toBe('novelty unknown: embedder failed');
  });
});
