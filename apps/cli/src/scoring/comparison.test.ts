import { afterAll, beforeAll, describe, expect, it } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { runKp } from '../../test/run-kp.ts';
import { traceLine } from '../../test/traces.ts';
import type { CrashedRun, ScoredRun } from '../runs/run.ts';
import { compareSets, createRunSet } from './comparison.ts';
import { judgeGate } from './gate.ts';

type Score = readonly [task: string, score: number | null, success?: boolean | null];

function setOf(scores: readonly Score[]) {
  const set = createRunSet();
  for (const [task, score, success = null] of scores) {
    const fields = {
      task,
      domain: 'code',
      objective: `do ${task}`,
      success,
      file: 'f',
      format: 'x',
    };
    if (score === null) set.addCrashed({ fields } as unknown as CrashedRun);
    else set.add({ report: { score }, fields, run: {} } as unknown as ScoredRun);
  }
  return set;
}

describe('compareSets', () => {
  it('compares the mean of each task: 0.6 with (0.5 + 0.9) / 2, 0.5 with 0.4', () => {
    const base = setOf([
      ['a', 0.6, true],
      ['b', 0.5, false],
      ['c', 0.3],
      ['gone', 0.9],
      ['gone', 0.9],
    ]);
    const next = setOf([
      ['c', 0.3],
      ['a', 0.5, false],
      ['a', 0.9, true],
      ['b', 0.4, true],
      ['new', 0.1],
    ]);
    const compared = compareSets(base, next);
    expect(compared.tasks.map(({ task, result }) => `${task} ${result}`)).toEqual([
      'b loss',
      'c tie',
      'a win',
    ]);
    expect(compared.tasks[2]).toMatchObject({
      base: { runs: 1, score: 0.6, passed: 1 },
      new: { runs: 2, passed: 0.5 },
    });
    expect(compared.tasks[2]?.difference).toBeCloseTo(0.1, 12);
    expect(compared).toMatchObject({ wins: 1, losses: 1, ties: 1 });
    expect(compared.meanDifference).toBeCloseTo(0, 12);
    expect(compared.passed).toEqual({ tasks: 2, base: 0.5, new: 0.75 });
    expect(compared.unmatched).toEqual({
      base: { runs: 2, tasks: 1, first: ['gone'] },
      new: { runs: 1, tasks: 1, first: ['new'] },
    });
  });

  it('counts crashed runs as failed, and a task with only crashed runs as missing', () => {
    const base = setOf([
      ['a', 0.6, true],
      ['b', 0.5, true],
      ['c', 0.4, true],
    ]);
    const next = setOf([
      ['a', 0.7, true],
      ['a', null, false],
      ['b', null, false],
    ]);
    const compared = compareSets(base, next);
    expect(compared).toMatchObject({ wins: 1, losses: 0 });
    expect(compared.tasks[0]?.new).toEqual({ runs: 2, crashed: 1, score: 0.7, passed: 0.5 });
    expect(compared.passed).toEqual({ tasks: 2, base: 1, new: 0.25 });
    expect(compared.sets.new).toEqual({ runs: 3, crashed: 2, verdicts: 3, passRate: 1 / 3 });
    expect(compared.missing.map(({ task, reason }) => [task, reason])).toEqual([
      ['b', 'crashed'],
      ['c', 'absent'],
    ]);
    expect(compareSets(next, base).missing).toEqual([]);
  });

  it('checks only the given limits, and missing tasks by default', () => {
    const one = setOf([['a', 0.5, true]]);
    const none = setOf([['a', null, false]]);
    const same = compareSets(one, one);
    expect(judgeGate(compareSets(one, none), {})).toBeUndefined();
    expect(judgeGate(same, { maxLoss: 0 })).toEqual({ passed: true, failures: [] });
    expect(judgeGate(same, { minPassRate: 1 })?.passed).toBe(true);
    const failures = (flags: Parameters<typeof judgeGate>[1]) =>
      judgeGate(compareSets(one, none), flags)?.failures;
    const missing = '1 task of the base without a new score, 1 of them because every run crashed';
    expect(failures({ maxLoss: 0.5 })).toEqual([
      'no task has scores in both sets',
      `${missing}, expected at most 0`,
    ]);
    expect(failures({ maxMissing: 1 })).toEqual([]);
    expect(failures({ maxMissing: 1, minPassRate: 0.5 })).toEqual([
      '0 % passed, expected at least 50 %',
    ]);
    const unknown = setOf([['a', 0.5]]);
    expect(judgeGate(compareSets(unknown, unknown), { minPassRate: 0 })?.failures).toEqual([
      'no run with a verdict, expected at least 0 %',
    ]);
  });

  it('has no mean without a task, and no interval for one', () => {
    expect(compareSets(setOf([['a', 1]]), setOf([['b', 1]]))).toMatchObject({
      tasks: [],
      meanDifference: null,
      interval: null,
      passed: null,
    });
    expect(compareSets(setOf([['a', 1]]), setOf([['a', 1]])).interval).toBeNull();
  });

  it('derives the interval of two tasks from the four possible samples: −0.2, 0, 0, +0.2', () => {
    const base = setOf([
      ['a', 0.5],
      ['b', 0.5],
    ]);
    const next = setOf([
      ['a', 0.7],
      ['b', 0.3],
    ]);
    const { interval } = compareSets(base, next);
    expect(interval?.low).toBeCloseTo(-0.2, 12);
    expect(interval?.high).toBeCloseTo(0.2, 12);
  });

  it('is antisymmetric and deterministic, and keeps the mean within the interval', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.tuple(share, share), { minLength: 2, maxLength: 12 }), (pairs) => {
        const base = setOf(pairs.map(([score], task) => [`${task}`, score]));
        const next = setOf(pairs.map(([, score], task) => [`${task}`, score]));
        const there = compareSets(base, next);
        const back = compareSets(next, base);
        expect(compareSets(base, next)).toEqual(there);
        expect(back).toMatchObject({ wins: there.losses, losses: there.wins, ties: there.ties });
        const mean = there.meanDifference ?? Number.NaN;
        expect(back.meanDifference).toBeCloseTo(-mean, 12);
        expect(there.interval?.low).toBeLessThanOrEqual(mean + 1e-12);
        expect(there.interval?.high).toBeGreaterThanOrEqual(mean - 1e-12);
      }),
      { numRuns: 30 },
    );
  });
});

describe('kp compare', () => {
  let folder = '';
  let file = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kp-compare-'));
    file = join(folder, 'base.jsonl');
  });
  afterAll(() => rm(folder, { recursive: true }));

  const weaker = (line: string) => line.replace('"confidence":0.8', '"confidence":0.3');
  const lines = ['one', 'two', 'three'].map((objective, i) => traceLine(`${i}`, objective));

  it('colours wins and losses if enabled, but not with NO_COLOR', async () => {
    await Bun.write(file, lines.join('\n'));
    const mixed = [weaker(lines[0] ?? ''), lines[1]?.replace('0.8', '0.9')].join('\n');
    const outputWith = async (env: Record<string, string>) =>
      (await runKp(['compare', file, '-'], mixed, { env })).output;
    const coloured = await outputWith({ NO_COLOR: '', FORCE_COLOR: '1' });
    for (const text of ['31mloss', '32mwin', '32m1 win', '31m1 loss']) {
      expect(coloured).toContain(`\u001b[${text}`);
    }
    expect(await outputWith({ NO_COLOR: '1' })).not.toContain('\u001b');
  });

  it('compares runs with the same objectives, and is a gate with --max-loss', async () => {
    await Bun.write(file, lines.join('\n'));
    const worse = lines.slice(0, 2).map(weaker).join('\n');
    const compared = await runKp(['compare', file, '-'], worse);
    expect(compared.exitCode).toBe(0);
    expect(compared.output).toContain('2 tasks in both   0 wins, 2 losses, 0 ties');
    expect(compared.output).toMatch(/mean −0\.100 {3}95 % interval −0\.100 to −0\.100 .*: worse/);
    expect(compared.output).toContain('only in base: 1 run of 1 task (three)');

    const status = async (...words: string[]) =>
      (await runKp(['compare', ...words, file, '-'], worse)).exitCode;
    expect(await status('--max-loss', '0.2')).toBe(1);
    expect(await status('--max-loss', '0.2', '--max-missing', '1')).toBe(0);
    expect(await status('--max-loss', '0.05')).toBe(1);
    const again = await runKp(['score', '--json', '--compare', file, '-'], worse);
    expect(JSON.parse(again.output)).toMatchObject({ wins: 0, losses: 2 });
    expect((await runKp(['score', '--compare', file, '--top', '3', '-'], worse)).errors).toContain(
      '--top cannot be combined with --compare',
    );
    const remembering = await runKp(['compare', file, '-', '--memory', join(folder, 'm')], worse);
    expect(remembering).toMatchObject({ exitCode: 2, output: '' });
    expect(remembering.errors).toContain('--memory cannot be combined with a comparison');
  });
});
