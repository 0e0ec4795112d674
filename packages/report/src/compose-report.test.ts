import { describe, expect, it } from 'bun:test';
import { buildSimilarityGraph } from '@kp/curation';
import { scoredRun } from '../test/scored-runs.ts';
import { composeReport, composeReportOfScores } from './compose-report.ts';

/** Runs in three groups of similar runs, and their graph. */
async function corpusOf(count: number) {
  const runs = Array.from({ length: count }, (_, number) => scoredRun(number));
  const vectors = runs.map((_, run) =>
    Float32Array.from({ length: count }, (_, i) => (i === run ? 0.3 : 0) + (i === run % 3 ? 1 : 0)),
  );
  const keys = runs.map((_, run) => String(run).padStart(4, '0'));
  return { runs, vectors, graph: await buildSimilarityGraph(vectors, { keys }) };
}

describe('composeReport', () => {
  it('lists the findings of the audit first, starting with warnings', async () => {
    const further = { level: 'note' as const, text: 'Two files were left out.' };
    const { notes } = await composeReport(await corpusOf(30), { notes: [further] });
    expect(notes.map(({ about }) => about)).toContain('order');
    expect(notes.map(({ about }) => about)).toContain('success');
    const levels = notes.map(({ level }) => level);
    expect(levels).toEqual(levels.toSorted((a, b) => (a === b ? 0 : a === 'warning' ? -1 : 1)));
    expect(notes.at(-1)).toEqual(further);
  });

  it('picks one run of each group first, and covers more than chance and the best scores', async () => {
    const { picks, map } = await composeReport(await corpusOf(60), { pickCount: 5 });
    expect(new Set(picks?.runs.slice(0, 3).map((run) => run % 3)).size).toBe(3);
    expect(picks?.runs).toHaveLength(5);
    expect(picks?.coverage.at(-1)).toBeGreaterThan(picks?.random.at(-1) ?? 1);
    expect(map?.x).toHaveLength(60);
  });

  it('has no map for fewer than 50 runs', async () => {
    expect((await composeReport(await corpusOf(49))).map).toBeUndefined();
  });

  it('names no group on the map by redacted words', async () => {
    const { runs, ...corpus } = await corpusOf(50);
    const task = { objective: 'Visit Montgomery about shoes' };
    const secret = runs.map((run) => ({ ...run, trace: run.trace && { ...run.trace, task } }));
    const content = { includeText: true, redact: [/Montgomery/], duplicateThreshold: 0.5 };
    const data = await composeReport({ runs: secret, ...corpus }, content);
    expect(JSON.stringify(data).toLowerCase()).not.toContain('montgomery');
    expect(data.map?.duplicates.length).toBeGreaterThan(0);
  });

  it('has no findings for an empty corpus', async () => {
    const data = await composeReport(await corpusOf(0));
    expect(data).toMatchObject({ runs: [], notes: [], picks: undefined, map: undefined });
  });

  it('audits scores without their runs, except for the order', () => {
    const runs = Array.from({ length: 8 }, (_, number) => scoredRun(number, { trace: undefined }));
    const { notes, picks } = composeReportOfScores(runs);
    expect(notes.map(({ about }) => about)).toEqual(['success']);
    expect(picks).toBeUndefined();
  });
});
