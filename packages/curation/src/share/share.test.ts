import { describe, expect, it } from 'bun:test';
import { parseTrace, type ReasoningTrace } from '@kp/schema';
import { createScorer, type ScoreReport } from '@kp/scoring';
import type { Bands } from '../corpus/calibrate.ts';
import { CurationInputError } from '../corpus/errors.ts';
import { type ShareOptions, shareable, withScore } from './share.ts';

const trace: ReasoningTrace = {
  '@context': 'https://openknowledgepulse.org/schema/v1',
  '@type': 'ReasoningTrace',
  id: 'kp:trace:a',
  metadata: {
    created_at: '2026-03-02T09:30:00Z',
    task_domain: 'finance',
    success: true,
    quality_score: 0,
    visibility: 'network',
    privacy_level: 'aggregated',
  },
  task: { objective: 'Close the books' },
  steps: [
    { step_id: 0, type: 'thought', content: 'Start with the ledger' },
    { step_id: 1, type: 'tool_call', tool: { name: 'ledger' } },
    { step_id: 2, type: 'tool_call', tool: { name: 'bank' } },
  ],
  outcome: { result_summary: 'Closed', confidence: 1 },
};
const BANDS: Bands = {
  redundantAbove: 0.8,
  newBelow: 0.4,
  method: 'conformal',
  falseDuplicateRate: 0.1,
  falseNewRate: 0.1,
  tasks: 20,
};

const scored = await createScorer({ embedder: null }).evaluate(trace);
const likeAnother = (similarity: number): ScoreReport => ({
  ...scored,
  novelty: { source: 'nearest', nearest: { key: 'kp:trace:b', similarity }, truncated: false },
});
const withMetadata = (change: Partial<ReasoningTrace['metadata']>): ReasoningTrace => ({
  ...trace,
  metadata: { ...trace.metadata, ...change },
});
const codes = (
  of: ReasoningTrace,
  report: ScoreReport,
  options: Partial<ShareOptions> = {},
): string[] => {
  const { share, reasons } = shareable(of, report, { threshold: 0.5, ...options });
  return [share, ...reasons.map(({ code }) => code)];
};

describe('shareable', () => {
  it('accepts a trace that is valuable, new, successful and permitted', () => {
    expect(codes(trace, likeAnother(0.2), { bands: BANDS })).toEqual(['yes']);
  });

  it.each([
    [0.2, ['yes']],
    [0.6, ['unsure', 'MAYBE_REDUNDANT']],
    [0.8, ['unsure', 'MAYBE_REDUNDANT']],
    [0.9, ['no', 'REDUNDANT']],
  ])('by bands, with a nearest run of %p', (similarity, expected) => {
    expect(codes(trace, likeAnother(similarity), { bands: BANDS })).toEqual(expected);
  });

  it('names the repeated trace', () => {
    const { reasons } = shareable(trace, likeAnother(0.9), { threshold: 0, bands: BANDS });
    expect(reasons[0]).toEqual({
      code: 'REDUNDANT',
      share: 'no',
      message: 'novelty: expected a new trace, received one 0.900 like kp:trace:b',
      nearest: { key: 'kp:trace:b', similarity: 0.9 },
    });
  });

  it('is unsure without a comparison for lack of an embedder', () => {
    expect(codes(trace, scored)).toEqual(['unsure', 'NOVELTY_UNKNOWN']);
  });

  it('accepts corpus novelty as a comparison', () => {
    const ofCorpus = (similarity: number): ScoreReport => {
      const report = likeAnother(similarity);
      return { ...report, novelty: { ...report.novelty, source: 'corpus', comparedWith: 9 } };
    };
    expect(codes(trace, ofCorpus(0.2), { bands: BANDS })).toEqual(['yes']);
    expect(codes(trace, ofCorpus(0.9), { bands: BANDS })).toEqual(['no', 'REDUNDANT']);
  });

  it('says no below the threshold, and yes at it', () => {
    const report = likeAnother(0);
    expect(codes(trace, report, { threshold: report.score })).toEqual(['yes']);
    expect(codes(trace, report, { threshold: report.score + 1e-9 })).toEqual([
      'no',
      'UNDER_THRESHOLD',
    ]);
  });

  it('does not treat an assumed success as verified', () => {
    for (const success of ['assumed', 'unknown']) {
      const imported = { ...trace, 'kp:provenance': { success } };
      expect(codes(imported, likeAnother(0))).toEqual(['unsure', 'SUCCESS_UNKNOWN']);
    }
    const verified = { ...trace, 'kp:provenance': { success: 'labelled' } };
    expect(codes(verified, likeAnother(0))).toEqual(['yes']);
    expect(codes(trace, likeAnother(0), { successKnown: false })[1]).toBe('SUCCESS_UNKNOWN');
  });

  it('rejects failures unless requested', () => {
    const failed = withMetadata({ success: false });
    expect(codes(failed, likeAnother(0))).toEqual(['no', 'FAILED']);
    expect(codes(failed, likeAnother(0), { failures: true })).toEqual(['yes']);
  });

  it('rejects traces that visibility or privacy level forbid', () => {
    expect(codes(withMetadata({ visibility: 'private' }), likeAnother(0))).toEqual([
      'no',
      'VISIBILITY_FORBIDS',
    ]);
    expect(codes(withMetadata({ privacy_level: 'private' }), likeAnother(0))).toEqual([
      'no',
      'PRIVACY_FORBIDS',
    ]);
    const org = withMetadata({ visibility: 'org' });
    expect(codes(org, likeAnother(0), { visibilities: ['org', 'network'] })).toEqual(['yes']);
  });

  it('counts secrets per kind', () => {
    const finding = { path: '/task/objective', kind: 'e-mail-address', start: 0, end: 9 };
    const { share, reasons } = shareable(trace, likeAnother(0), {
      threshold: 0,
      findings: [finding, { ...finding, start: 20, end: 30 }],
    });
    expect([share, reasons[0]?.message]).toEqual([
      'no',
      'texts: expected no secrets or personal data, received 2 × e-mail-address',
    ]);
  });

  it('returns all reasons at once', () => {
    const worst = withMetadata({ success: false, visibility: 'private', privacy_level: 'private' });
    expect(codes(worst, likeAnother(0.9), { threshold: 1, bands: BANDS })).toEqual([
      'no',
      'UNDER_THRESHOLD',
      'REDUNDANT',
      'FAILED',
      'VISIBILITY_FORBIDS',
      'PRIVACY_FORBIDS',
    ]);
  });

  it.each([-0.1, 1.1, Number.NaN, '0.5' as unknown as number])(
    'refuses a threshold of %p',
    (threshold) => {
      expect(() => shareable(trace, scored, { threshold })).toThrow(CurationInputError);
    },
  );

  it('rejects the report of another trace', () => {
    const other = { ...scored, traceId: 'kp:trace:b' };
    expect(() => shareable(trace, other, { threshold: 0 })).toThrow(
      'report: expected that of kp:trace:a, received "kp:trace:b"',
    );
  });
});

describe('withScore', () => {
  it('returns a valid copy with the score and its origin', () => {
    const stamped = withScore(trace, likeAnother(0.5));
    expect(parseTrace(stamped)).toEqual(stamped);
    expect(stamped.metadata.quality_score).toBe(scored.score);
    expect(stamped['kp:score']).toMatchObject({
      formula: scored.formula,
      profile: 'finance',
      novelty: { source: 'nearest', embedder: null, comparedWith: 0 },
    });
    expect(trace.metadata.quality_score).toBe(0);
  });
});
