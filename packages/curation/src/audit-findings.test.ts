import { describe, expect, it } from 'bun:test';
import type { ScoreReport } from '@kp/scoring';
import type { AuditFinding, ScoreAudit, ValueAudit } from './audit.ts';
import { findingsOf } from './audit-findings.ts';
import type { Stability } from './stability.ts';

type Facts = Omit<ScoreAudit, 'findings'>;

const facts = (change: Partial<Facts>): Facts => ({
  runs: 20,
  tasks: 20,
  threshold: 0.5,
  top: 10,
  values: [],
  successFrom: {},
  confidenceFrom: {},
  outcomes: { succeeded: 12, failed: 8 },
  stability: [],
  ...change,
});

/** The findings of one subject. */
function about(
  subject: AuditFinding['about'],
  change: Partial<Facts>,
  reports: readonly ScoreReport[] = [],
): (readonly [boolean, string])[] {
  return findingsOf(facts(change), reports)
    .filter((finding) => finding.about === subject)
    .map(({ isWarning, text }) => [isWarning, text] as const);
}

const auditedValue = (change: Partial<ValueAudit>): ValueAudit => ({
  name: 'score',
  minimum: 0,
  median: 0.5,
  mean: 0.5,
  maximum: 1,
  mostFrequent: { value: 0.5, runs: 1 },
  saturated: 0,
  ...change,
});

describe('what is found about success', () => {
  const unknown = ': whether the score goes with success cannot be said; --labels gives verdicts';

  it.each([
    [0, 0, 'no outcome is known'],
    [1, 0, 'one outcome is known'],
    [0, 1, 'one outcome is known'],
    [0, 2, 'all 2 known outcomes are the same'],
    [7, 0, 'all 7 known outcomes are the same'],
  ])('with %p successes and %p failures', (succeeded, failed, text) => {
    expect(about('success', { outcomes: { succeeded, failed } })).toEqual([
      [true, `${text}${unknown}`],
    ]);
  });

  const range = (low: number, high: number): string =>
    `(area 0.50, 95 % ${low.toFixed(2)} to ${high.toFixed(2)}; 12 succeeded, 8 failed)`;
  const start = 'without its outcome term the score';

  it.each([
    [0.51, 0.7, false, `${start} is higher for runs that succeeded ${range(0.51, 0.7)}`],
    [0.5, 0.7, true, `${start} tells nothing of success ${range(0.5, 0.7)}: `],
    [0.3, 0.5, true, `${start} tells nothing of success ${range(0.3, 0.5)}: `],
    [0.3, 0.49, true, `${start} is higher for runs that failed ${range(0.3, 0.49)}: `],
  ])('with an interval from %p to %p', (low, high, isWarning, text) => {
    const area = { value: 0.5, low, high };
    const value = auditedValue({ name: 'score without outcome', area });
    const other = auditedValue({ name: 'score', area: { value: 1, low: 1, high: 1 } });
    const found = about('success', { values: [other, value] });
    expect(found).toEqual([[isWarning, expect.stringContaining(text)]]);
    expect(about('success', { values: [other] })).toEqual([]);
  });
});

describe('what is found about spread', () => {
  const spread = (name: string, value: number, runs: number, of = 20) =>
    about('spread', { runs: of, values: [auditedValue({ name, mostFrequent: { value, runs } })] });

  it('names values that four in five runs share, or all', () => {
    expect(spread('novelty', 0.5, 15)).toEqual([]);
    expect(spread('novelty', 0.12345, 16)).toEqual([
      [true, 'novelty is 0.123 in 16 of 20 runs: it tells hardly any apart'],
    ]);
    expect(spread('toolDiversity', 1, 20)).toEqual([
      [true, 'tool diversity is 1 in 20 of 20 runs: it tells them nothing apart'],
    ]);
    expect(spread('outcomeConfidence', 1, 2, 2)).toEqual([
      [true, 'outcome is 1 in 2 of 2 runs: it tells them nothing apart'],
    ]);
    expect(spread('novelty', 0.5, 1, 1)).toEqual([]);
  });

  it('names the way out where complexity is capped, and only there', () => {
    const reportOf = (stepTypes: number, errorRecovery: number, length: number) =>
      ({ complexity: { stepTypes, errorRecovery, length } }) as unknown as ScoreReport;
    const capped = (value: number, reports: readonly ScoreReport[]) => {
      const mostFrequent = { value, runs: 2 };
      const values = [auditedValue({ name: 'complexity', mostFrequent })];
      return about('spread', { runs: 2, values }, reports)[0]?.[1];
    };
    const what = 'complexity is 1 in 2 of 2 runs: it tells them nothing apart';
    // 0.25 + 0 + 0.2, and 0.5 + 0.3 + 0.1.
    const reports = [reportOf(0.25, 0, 0.9), reportOf(0.5, 0.3, 0.1)];
    expect(capped(1, reports)).toBe(`${what}; --length-cap 0.2 would spread it over 0.45 to 0.9`);
    expect(capped(0.75, reports)).toBe(
      'complexity is 0.75 in 2 of 2 runs: it tells them nothing apart',
    );
    // 0.6 + 0.3 + 0.2 is cut to 1 as the other.
    expect(capped(1, [reportOf(0.6, 0.3, 0.4), reportOf(0.5, 0.3, 0.5)])).toBe(what);
  });
});

describe('what is found about sources', () => {
  it('counts what is assumed or unknown, and nothing else', () => {
    expect(about('source', { successFrom: { recorded: 20 } })).toEqual([]);
    expect(about('source', { successFrom: { recorded: 19, assumed: 1 } })).toEqual([
      [true, expect.stringContaining('no verdict, counted by assumption: 1 of 20 runs; --labels')],
    ]);
    const both = { successFrom: { assumed: 2, unknown: 3 }, confidenceFrom: { assumed: 1 } };
    expect(about('source', both)).toEqual([
      [true, expect.stringContaining('by assumption: 5 of 20 runs')],
      [true, expect.stringContaining('says no more than success: 1 of 20 runs')],
    ]);
    expect(about('source', { successFrom: { unknown: 4 } })[0]?.[1]).toContain('4 of 20 runs');
  });
});

describe('what is found about stability', () => {
  const stable = (change: string, rest: Partial<Stability> = {}): Stability => ({
    change,
    tau: 0.95,
    topKept: 1,
    flipped: 0,
    ...rest,
  });

  it('tells of another order, and warns when the top changes', () => {
    const order = (topKept: number, flipped: number, threshold = 0.5) =>
      about('order', { threshold, stability: [stable('another order, …', { topKept, flipped })] });
    expect(order(1, 0)).toEqual([
      [
        false,
        'scored in another order, 0 of the top 10 would be others and 0.0 % of the runs would ' +
          'cross 0.5 (τ 0.95): --corpus scores whatever the order',
      ],
    ]);
    expect(order(0.94, 0.0994)).toEqual([
      [true, expect.stringContaining('1 of the top 10 would be others and 9.9 % of the runs')],
    ]);
    expect(order(0.96, 0.0995)).toEqual([
      [false, expect.stringContaining('0 of the top 10 would be others and 10 % of the runs')],
    ]);
    expect(order(0.5, 0.5, 0.4321)[0]?.[1]).toContain('would cross 0.432 (');
    expect(about('order', {})).toEqual([]);
  });

  it('tells of the weight that matters most, and warns from a τ of 0.9 down', () => {
    const weights = (...taus: number[]) => {
      const names = ['complexity −20 %', 'toolDiversity +20 %', 'novelty −20 %'];
      const stability = taus.map((tau, at) =>
        stable(`weight of ${names[at]}`, { tau, topKept: 0.8, flipped: 0.25 }),
      );
      return about('weights', { stability: [stable('another order', { tau: 0 }), ...stability] });
    };
    expect(weights(0.95, 0.91, 0.93)).toEqual([
      [
        false,
        'the weights matter little: with the weight of tool diversity +20 %, the change that ' +
          'matters most, 2 of the top 10 would be others and 25 % of the runs would cross 0.5 (τ 0.91)',
      ],
    ]);
    const [[isWarning, text] = []] = weights(0.9, 0.9);
    expect(isWarning).toBe(true);
    expect(text).toStartWith('the weights matter much: with the weight of complexity −20 %, ');
    expect(weights()).toEqual([]);
    expect(
      about('weights', { runs: 2, stability: [stable('weight of novelty −20 %')] }),
    ).toHaveLength(1);
    expect(about('weights', { runs: 1, stability: [stable('weight of novelty −20 %')] })).toEqual(
      [],
    );
  });
});
