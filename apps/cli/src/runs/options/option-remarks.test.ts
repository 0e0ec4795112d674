import { describe, expect, it } from 'bun:test';
import type { LabelReport } from '@kp/importers';
import { joinEffects, joinSets, optionNotes, withoutEffect } from './option-remarks.ts';

const effects = (graded: number, assumed: number, unusedDomains: readonly string[] = []) => ({
  ...{ runs: 2, success: { graded, assumed }, unusedDomains, unusedGlobs: [] },
});
const flags = { passAt: 0.5, assumeFailure: true };

describe('withoutEffect', () => {
  it('names the options that change nothing, of any part of the input', () => {
    const graded = effects(1, 0, ['book=code', 'pay=finance']);
    const assumed = effects(0, 1, ['pay=finance']);
    const grade = '--pass-at has no effect: no run has a grade';
    const failure = '--assume-failure has no effect: every run has a verdict';
    const domain = (word: string) => `--domain ${word}: no run calls a tool of that name`;
    expect(withoutEffect(flags, graded)).toEqual([
      domain('book=code'),
      domain('pay=finance'),
      failure,
    ]);
    expect(withoutEffect(flags, assumed)).toEqual([domain('pay=finance'), grade]);
    expect(withoutEffect(flags, joinEffects([graded, assumed]))).toEqual([domain('pay=finance')]);
  });

  it('names the globs of --exclude that leave out nothing in any set', () => {
    const base = { ...effects(0, 0), unusedGlobs: ['old*', 'tmp'] };
    const next = { ...effects(0, 0), unusedGlobs: ['old*'] };
    const glob = (text: string) => `--exclude '${text}' leaves out no file`;
    expect(withoutEffect({}, base)).toEqual([glob('old*'), glob('tmp')]);
    expect(withoutEffect({}, joinEffects([base, next]))).toEqual([glob('old*')]);
  });

  it('says of no runs only which domains were not needed', () => {
    expect(withoutEffect(flags, joinEffects([]))).toEqual([]);
  });
});

it('optionNotes counts the labels of two sets once, and the runs of both without one', () => {
  const labels = { labels: 3, used: 2, unusedLabels: 0, unusedSets: [], unmatchedCount: 1 };
  const setWith = (runsWithout: readonly string[]) => ({
    ...effects(1, 1),
    labels: {
      ...{ ...labels, unmatched: ['c'] },
      ...{ runsWithout, runsWithoutCount: runsWithout.length },
    } as unknown as LabelReport,
  });
  expect(optionNotes({}, joinSets(setWith(['x']), setWith(['y'])))).toEqual([
    '2 of 3 labels used',
    '1 label of 3 without a run: c',
    '2 runs without a label: x, y',
  ]);
});
