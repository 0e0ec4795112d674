import { describe, expect, it } from 'bun:test';
import type { ReasoningTrace } from '@kp/schema';
import type { ScoreReport } from '@kp/scoring';
import type { Bands } from '../corpus/calibrate.ts';
import { type ShareOptions, shareable, withScore } from './share.ts';

const traceWith = (metadata: object = {}, more: object = {}): ReasoningTrace =>
  ({
    id: 'kp:trace:a',
    metadata: { success: true, visibility: 'network', privacy_level: 'aggregated', ...metadata },
    ...more,
  }) as unknown as ReasoningTrace;

const reportWith = (novelty: object = { source: 'empty_memory' }): ScoreReport =>
  ({
    traceId: 'kp:trace:a',
    score: 0.5,
    formula: 'f',
    profile: 'p',
    weights: {},
    dimensions: {},
    overrides: [{ rule: 'single_thought', before: 1, after: 0.1 }],
    novelty,
  }) as unknown as ScoreReport;

const BANDS = { redundantAbove: 0.8, newBelow: 0.4, method: 'conformal' } as unknown as Bands;

function messages(
  trace: ReasoningTrace,
  report: ScoreReport,
  options: Partial<ShareOptions> = {},
): string[] {
  return shareable(trace, report, { threshold: 0.5, ...options }).reasons.map(
    ({ code, share, message }) => `${share} ${code} ${message}`,
  );
}

describe('shareable, reason by reason', () => {
  it('gives no reason against a new, successful run at the threshold', () => {
    expect(shareable(traceWith(), reportWith(), { threshold: 0.5 })).toEqual({
      share: 'yes',
      reasons: [],
    });
    expect(messages(traceWith(), reportWith(), { threshold: 0 })).toEqual([]);
  });

  it('reports the score and the threshold it misses', () => {
    expect(messages(traceWith(), reportWith(), { threshold: 1 })).toEqual([
      'no UNDER_THRESHOLD score: expected at least 1, received 0.500',
    ]);
  });

  it.each(['nearest', 'empty_memory', 'corpus'])('treats %p as a comparison', (source) => {
    expect(messages(traceWith(), reportWith({ source }), { bands: BANDS })).toEqual([]);
  });

  it.each(['no_embedder', 'timeout'])('is unsure about a novelty from %p', (source) => {
    expect(messages(traceWith(), reportWith({ source }))).toEqual([
      `unsure NOVELTY_UNKNOWN novelty: expected a comparison with what was seen, received ${source}`,
    ]);
  });

  it('marks nothing as redundant without bands, and describes a trace without an id', () => {
    const report = reportWith({ source: 'nearest', nearest: { similarity: 0.99 } });
    expect(messages(traceWith(), report)).toEqual([]);
    expect(messages(traceWith(), report, { bands: BANDS })).toEqual([
      'no REDUNDANT novelty: expected a new trace, received one 0.990 like a trace without an id',
    ]);
  });

  it.each([
    [{}, {}, []],
    [{}, { success: 'assumed' }, ['SUCCESS_UNKNOWN']],
    [{ successKnown: true }, { success: 'assumed' }, []],
    [{ successKnown: false }, { success: 'recorded' }, ['SUCCESS_UNKNOWN']],
    [{ failures: true }, { success: 'unknown' }, ['SUCCESS_UNKNOWN']],
    [{}, null, []],
    [{}, 'assumed', []],
    [{}, [], []],
  ])('with %j and a provenance of %j', (options, provenance, codes) => {
    const trace = traceWith({}, { 'kp:provenance': provenance });
    const { share, reasons } = shareable(trace, reportWith(), { threshold: 0, ...options });
    expect(reasons.map(({ code }) => code)).toEqual(codes as typeof codes & []);
    expect(share).toBe(codes.length === 0 ? 'yes' : 'unsure');
  });

  it('applies visibility and privacy level, by default and by options', () => {
    expect(messages(traceWith({ privacy_level: 'federated' }), reportWith())).toEqual([]);
    const hidden = traceWith({ visibility: 'org', privacy_level: 'private' });
    expect(messages(hidden, reportWith())).toEqual([
      'no VISIBILITY_FORBIDS visibility: expected network, received org',
      'no PRIVACY_FORBIDS privacy_level: expected aggregated or federated, received private',
    ]);
    const allowed = { visibilities: ['org'], privacyLevels: ['private'] } as const;
    expect(messages(hidden, reportWith(), allowed)).toEqual([]);
    expect(messages(traceWith(), reportWith(), allowed)).toHaveLength(2);
  });

  it('counts findings per kind', () => {
    const finding = (kind: string) => ({ path: '/task', kind, start: 0, end: 1 });
    const findings = ['github-token', 'e-mail-address', 'github-token'].map(finding);
    expect(messages(traceWith(), reportWith(), { findings })).toEqual([
      'no SECRETS_FOUND texts: expected no secrets or personal data, received ' +
        '2 × github-token, 1 × e-mail-address',
    ]);
    expect(messages(traceWith(), reportWith(), { findings: [] })).toEqual([]);
  });
});

describe('withScore', () => {
  it('records how the score was made', () => {
    const novelty = { source: 'nearest', embedder: 'e/1', comparedWith: 7 };
    const stamped = withScore(traceWith(), reportWith(novelty));
    expect(stamped['kp:score']).toEqual({
      formula: 'f',
      profile: 'p',
      weights: {},
      dimensions: {},
      overrides: ['single_thought'],
      novelty,
    });
    expect(stamped.metadata).toMatchObject({ quality_score: 0.5, visibility: 'network' });
    const without = withScore(traceWith(), reportWith({ source: 'no_embedder' }));
    expect(without['kp:score']).toMatchObject({
      novelty: { source: 'no_embedder', embedder: null, comparedWith: 0 },
    });
  });

  it('rejects the report of another trace', () => {
    expect(() => withScore(traceWith({}, { id: 'kp:trace:b' }), reportWith())).toThrow(
      'report: expected that of kp:trace:b, received "kp:trace:a"',
    );
  });
});
