import { describe, expect, it } from 'bun:test';
import { parseTrace, type ReasoningTrace } from '@kp/schema';
import type { ScoreReport } from '@kp/scoring';
import { type AuditedRun, auditScores } from './audit.ts';
import { seededIntegers } from './baseline.ts';
import { contentKey } from './content-keys.ts';
import { CORPUS_VECTORS_ID, corpusVectors } from './corpus-vectors.ts';
import { areaUnderCurve, areaWithInterval, kendallTau, overlapOfTop } from './rank-statistics.ts';
import { scoreCorpus } from './score-corpus.ts';
import { buildSimilarityGraph } from './similarity-graph.ts';

const folder = `${import.meta.dir}/../../../examples/traces`;
const texts = await Promise.all(
  ['code', 'finance', 'general', 'medical'].map((name) =>
    Bun.file(`${folder}/${name}.jsonl`).text(),
  ),
);
const traces = texts.flatMap((text) =>
  text
    .trim()
    .split('\n')
    .map((line) => parseTrace(JSON.parse(line))),
);
const keys = await Promise.all(traces.map(contentKey));
const graph = await buildSimilarityGraph(corpusVectors(traces), { keys });
const reports = await scoreCorpus(traces, { graph, vectorsId: CORPUS_VECTORS_ID });
const known = (success: (trace: ReasoningTrace) => boolean | undefined): AuditedRun[] =>
  traces.map((trace) => ({
    success: success(trace),
    task: trace.task.objective,
    successFrom: 'recorded',
    confidenceFrom: 'recorded',
  }));

describe('statistics of ranks', () => {
  it('area under the curve, by hand', () => {
    // Successes 3 and 1 against failures 2 and 1: 3>2, 3>1, 1<2, 1=1: 2.5 of 4.
    expect(areaUnderCurve([3, 1, 2, 1], [true, true, false, false])).toBe(0.625);
    expect(areaUnderCurve([1], [true])).toBeNaN();
  });

  it('has the whole area in an interval of itself, and widens with fewer groups', () => {
    const next = seededIntegers(3);
    const values = Array.from({ length: 80 }, () => next(1000));
    const outcomes = values.map((value) => value + next(600) > 800);
    const groups = values.map((_, run) => `t${run % 40}`);
    const { value, low, high } = areaWithInterval(values, outcomes, groups);
    expect(low).toBeLessThan(value);
    expect(value).toBeLessThan(high);
  });

  it('Kendall’s τ and the overlap of the top, by hand', () => {
    expect(kendallTau([1, 2, 3], [1, 3, 2])).toBeCloseTo(1 / 3, 12);
    expect(kendallTau([1, 2, 3], [3, 2, 1])).toBe(-1);
    expect(overlapOfTop([3, 2, 1], [3, 1, 2], 2)).toBe(0.5);
  });
});

describe('auditScores', () => {
  it('says how values are spread, and how stable the ranking is', () => {
    const audit = auditScores(
      reports,
      known(() => undefined),
      { graph },
    );
    expect(audit.values.map(({ name }) => name)).toEqual([
      'complexity',
      'novelty',
      'toolDiversity',
      'outcomeConfidence',
      'score',
      'score without outcome',
    ]);
    const diversity = audit.values[2];
    expect(diversity?.saturated).toBe(
      reports.filter(({ dimensions }) => dimensions.toolDiversity === 1).length,
    );
    expect(audit.values.every(({ area }) => area === undefined)).toBe(true);
    expect(audit.stability).toHaveLength(9);
    for (const { tau, topKept, flipped } of audit.stability) {
      expect(tau).toBeLessThanOrEqual(1);
      expect(topKept).toBeGreaterThan(0);
      expect(flipped).toBeLessThan(1);
    }
    expect(audit.findings[0]?.text).toContain('no outcome is known');
    expect(audit.findings.map(({ text }) => text).join('\n')).toContain(
      '--corpus scores whatever the order',
    );
  });

  it('finds a score that goes with success, and one that goes with failure', () => {
    const median = auditScores(
      reports,
      known(() => undefined),
    ).values.at(-1)?.median as number;
    const without = reports.map((report) => {
      const { outcomeConfidence } = report.contributions;
      return (report.composite - outcomeConfidence) / (1 - report.weights.outcomeConfidence);
    });
    const above = known((trace) => without[traces.indexOf(trace)] >= median);
    const good = auditScores(reports, above);
    expect(good.values.at(-1)?.area).toEqual({ value: 1, low: 1, high: 1 });
    expect(good.findings[0]?.text).toContain('higher for runs that succeeded');
    const bad = auditScores(
      reports,
      above.map((run) => ({ ...run, success: run.success === false })),
    );
    expect(bad.findings[0]?.text).toContain('choose among verified successes');
  });

  it('names a dimension that tells nothing apart, and the way out', () => {
    const saturated = reports.map((report, run): ScoreReport => {
      const complexity = { stepTypes: 0.5, errorRecovery: 0.3, length: 0.2 + run / 10 };
      return { ...report, complexity, dimensions: { ...report.dimensions, complexity: 1 } };
    });
    const count = reports.length;
    expect(
      auditScores(
        saturated,
        known(() => true),
      ).findings,
    ).toContainEqual({
      about: 'spread',
      isWarning: true,
      text: `complexity is 1 in ${count} of ${count} runs: it tells them nothing apart`,
    });
    const spread = saturated.map((report, run) => {
      const complexity = { ...report.complexity, stepTypes: run === 0 ? 0.125 : 0.5 };
      return { ...report, complexity };
    });
    expect(
      auditScores(
        spread,
        known(() => true),
      ).findings.map(({ text }) => text),
    ).toContain(
      `complexity is 1 in ${count} of ${count} runs: it tells them nothing apart; --length-cap 0.2 would spread it over 0.625 to 1`,
    );
  });

  it('takes one run and none', () => {
    const [report] = reports;
    const one = auditScores(report === undefined ? [] : [report], known(() => true).slice(0, 1));
    expect(one).toMatchObject({ runs: 1, stability: [] });
    expect(auditScores([], [])).toMatchObject({ runs: 0, tasks: 0 });
    expect(() => auditScores(reports, [])).toThrow(`runs: expected ${reports.length} entries`);
  });
});
