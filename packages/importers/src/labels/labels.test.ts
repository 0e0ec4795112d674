import { describe, expect, it } from 'bun:test';
import { createImportSession, type ImportOptions, readLabels } from '../index.ts';

const run = (task_id: number, trial: number): unknown => ({
  task_id,
  trial,
  messages: [
    { role: 'user', content: `do ${task_id}` },
    { role: 'assistant', content: `done ${trial}` },
  ],
});

const lines = (...runs: unknown[]): string => runs.map((one) => JSON.stringify(one)).join('\n');

/** The success of each run of each file, as `T`, `F` or `?`, and the report. */
async function label(
  files: Record<string, string>,
  labels: ImportOptions['labels'],
): Promise<{
  found: string;
  report: ReturnType<ReturnType<typeof createImportSession>['report']>;
}> {
  const session = createImportSession({ labels });
  let found = '';
  for (const [name, text] of Object.entries(files)) {
    for await (const item of session.read(text, name)) {
      if (item.kind === 'error') throw new Error(item.error.message);
      found += item.kind === 'trace' ? (item.trace.metadata.success ? 'T' : 'F') : '?';
    }
  }
  return { found, report: session.report() };
}

describe('readLabels', () => {
  it('reads tables with headings in any case, and verdicts in any form', () => {
    const { sets } = readLabels([
      { ID: '1', Resolved: '1.0' },
      { ID: '2', Resolved: 'unresolved' },
      { ID: '3', Resolved: 0.75 },
      { ID: '4', Resolved: '' },
      { ID: '5', Resolved: true, Confidence: '0.9' },
    ]);
    expect(sets[0]?.labels).toEqual([
      { names: { id: '1' }, success: true, confidence: undefined },
      { names: { id: '2' }, success: false, confidence: undefined },
      { names: { id: '3' }, grade: 0.75, confidence: undefined },
      { names: { id: '5' }, success: true, confidence: 0.9 },
    ]);
  });

  it('reads objects, reports of SWE-bench, and experiments apart', () => {
    expect(readLabels({ a: true, b: { success: false, confidence: 0.2 } }).sets[0]?.labels).toEqual(
      [
        { names: { id: 'a' }, success: true, confidence: undefined },
        { names: { id: 'b' }, success: false, confidence: 0.2 },
      ],
    );
    // One label of each run, and not labels of experiments called so.
    const each = readLabels({ a: { success: false }, b: { passed: true } }).sets;
    expect(each).toMatchObject([{ labels: [{ success: false }, { success: true }] }]);
    const report = {
      total_instances: 3,
      resolved_ids: ['x'],
      unresolved_ids: ['y'],
      error_ids: ['z'],
    };
    expect(readLabels(report).sets[0]?.labels.map(({ success }) => success)).toEqual([
      true,
      false,
      false,
    ]);
    const sets = readLabels({ one: { a: true }, two: { a: false } }).sets;
    expect(sets.map(({ name }) => name)).toEqual(['one', 'two']);
    expect(readLabels({ one: { a: true }, two: { a: false } }, { set: 'two' }).sets).toHaveLength(
      1,
    );
  });

  it('tells experiments apart by a column, and refuses what none tells apart', () => {
    const rows = [
      { model: 'a', task_id: 1, success: true },
      { model: 'b', task_id: 1, success: false },
    ];
    expect(readLabels(rows).sets.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(() => readLabels(rows.map(({ model: _, ...row }) => row))).toThrow(
      'labels: expected one verdict on task_id 1, received several that differ',
    );
  });

  it.each([
    [[], 'expected at least one label, received an array of 0 values'],
    [{}, 'expected at least one label, received an empty object'],
    ['a', 'expected an object or a table, received "a"'],
    [[3], 'labels: row 1: expected an object, received 3'],
    [[{ id: 1 }], 'labels: row 1: expected a column with the verdict, such as success, resolved'],
    [
      [{ id: 1, success: 'maybe' }],
      'labels: row 1: expected true or false, a word such as resolved',
    ],
    [[{ id: 1, confidence: 2 }], 'labels: row 1: expected a confidence from 0 to 1, received 2'],
    [{ a: 'maybe' }, 'labels: a: expected true or false'],
    // Neither a label nor the labels of an experiment.
    [{ one: { a: true }, two: {} }, 'labels: one: expected a column with the verdict'],
    [{ a: {} }, 'labels: a: expected a column with the verdict'],
  ])('refuses %j', (value, message) => {
    expect(() => readLabels(value)).toThrow(message);
  });

  it('names the set or the column that is not there', () => {
    expect(() => readLabels({ one: { a: true } }, { set: 'two' })).toThrow(
      'labels: expected a set called two, received the sets one',
    );
    expect(() => readLabels([{ id: 1, success: true }], { key: 'case' })).toThrow(
      'labels: row 1: expected the column case, received id, success',
    );
  });
});

describe('labels of runs', () => {
  it('joins by task and trial', async () => {
    const rows = [
      { task_id: 1, trial: 0, success: true },
      { task_id: 1, trial: 1, success: false },
      { task_id: 9, trial: 0, success: true },
    ];
    const { found, report } = await label(
      { f: lines(run(1, 1), run(1, 0), run(2, 0)) },
      readLabels(rows),
    );
    expect(found).toBe('FT?');
    expect(report.labels).toMatchObject({
      labels: 3,
      used: 2,
      unmatchedCount: 1,
      unmatched: ['9/0'],
      runsWithoutCount: 1,
      runsWithout: [expect.stringContaining('2:0')],
      ambiguousCount: 0,
    });
  });

  it('joins by file and line', async () => {
    const rows = [
      { file: 'runs/a.jsonl', line: 2, passed: 'yes' },
      { file: 'runs/b.jsonl', line: 1, passed: 'no' },
    ];
    const files = {
      '/x/y/runs/a.jsonl': lines(run(1, 0), run(2, 0)),
      '/x/y/runs/b.jsonl': lines(run(3, 0)),
    };
    expect((await label(files, readLabels(rows))).found).toBe('?TF');
  });

  it('joins by a column that the caller names, to all runs that fit', async () => {
    const labels = readLabels([{ case: 1, success: true }], { key: 'case' });
    expect((await label({ f: lines(run(1, 0), run(1, 1)) }, labels)).found).toBe('TT');
  });

  it('gives a label that names no trial to one run and reports the others', async () => {
    const { found, report } = await label(
      { f: lines(run(1, 0), run(1, 1)) },
      readLabels({ 1: true }),
    );
    expect(found).toBe('T?');
    expect(report.labels).toMatchObject({
      ...{ ambiguousCount: 1, runsWithoutCount: 1 },
      ...{ ambiguous: [expect.stringContaining('1:1')] },
    });
  });

  it('names ten of what it could not join, and counts them all', async () => {
    const rows = Array.from({ length: 11 }, (_, at) => ({ task_id: at + 50, success: true }));
    const runs = Array.from({ length: 11 }, (_, at) => run(at, 0));
    const { report } = await label({ f: lines(...runs) }, readLabels(rows));
    expect(report.labels).toMatchObject({ unmatchedCount: 11, runsWithoutCount: 11 });
    expect(report.labels?.unmatched).toEqual(rows.slice(0, 10).map(({ task_id }) => `${task_id}`));
    expect(report.labels?.runsWithout).toHaveLength(10);
  });

  it('keeps experiments apart by the names of their files', async () => {
    const labels = readLabels({ base: { '1/0': true }, base_rerun: { '1/0': false } });
    const text = lines(run(1, 0));
    const rerun = await label({ 'runs/base_rerun.jsonl.gz': text }, labels);
    expect(rerun.found).toBe('F');
    expect(rerun.report.labels).toMatchObject({
      sets: ['base', 'base_rerun'],
      unusedSets: ['base'],
      labels: 1,
      unmatchedCount: 0,
    });
    expect((await label({ 'runs/base.jsonl': text }, labels)).found).toBe('T');
    expect((await label({ 'other.jsonl': text }, labels)).found).toBe('?');
    const session = createImportSession({ labels });
    await expect(session.read(text).next()).rejects.toThrow(
      'labels: expected the labels of one experiment, or the name of one, received base, base_rerun',
    );
  });

  it('takes a grade by passAt and keeps it', async () => {
    const session = createImportSession({ labels: readLabels({ 1: 0.7 }), passAt: 0.8 });
    const [item] = await Array.fromAsync(session.read(lines(run(1, 0))));
    expect(item).toMatchObject({
      trace: { metadata: { success: false } },
      provenance: { success: 'labelled', grade: 0.7 },
    });
  });

  it('quotes no more of a file than a person reads', () => {
    const wide = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`column ${i}`, 1]));
    for (const value of [[wide], { ['x'.repeat(100_000)]: 'perhaps' }]) {
      const refused = (): unknown => readLabels(value);
      expect(refused).toThrow('…');
      expect(refused).toThrow(/^.{30,700}$/);
    }
  });

  it('refuses labels that name no run', () => {
    expect(() => createImportSession({ labels: readLabels([{ success: true }]) })).toThrow(
      'labels: expected a column that names the run, such as id or task_id, received none',
    );
  });
});
