import { percent } from '@kp/foundation';
import type { ReportData, ReportRun } from './report-data.ts';

/** The figures that the first screen opens with. */
interface RunFigures {
  readonly runs: number;
  readonly files: number;
  readonly mean: number;
  readonly good: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly unknown: number;
  /** Of those that count as succeeded or failed, how many were assumed to be. */
  readonly assumed: number;
}

function figuresOf({ runs, threshold }: ReportData): RunFigures {
  const count = (test: (run: ReportRun) => boolean): number => runs.filter(test).length;
  const total = runs.reduce((sum, { score }) => sum + score, 0);
  return {
    runs: runs.length,
    files: new Set(runs.map(({ file }) => file)).size,
    mean: runs.length === 0 ? 0 : total / runs.length,
    good: count(({ score }) => score >= threshold),
    succeeded: count(({ success }) => success === true),
    failed: count(({ success }) => success === false),
    unknown: count(({ success }) => success === null),
    assumed: count(({ success, successSource }) => success !== null && successSource === 'assumed'),
  };
}

/** How many runs, how good, what came of them, and what to do: a sentence each. */
export function verdictOf(data: ReportData): string[] {
  const { runs, files, mean, good, succeeded, failed, unknown, assumed } = figuresOf(data);
  if (runs === 0) return ['There are no runs in this report.'];
  const from = files > 1 ? ` from ${files} files` : '';
  const sentences = [
    `${plural(runs, 'run')}${from}, worth ${mean.toFixed(2)} on average: ${share(good, runs)} at ${data.threshold.toFixed(2)} or more.`,
  ];
  const known = [
    succeeded > 0 ? `${succeeded.toLocaleString('en-US')} succeeded` : '',
    failed > 0 ? `${failed.toLocaleString('en-US')} failed` : '',
    unknown > 0 ? `${unknown.toLocaleString('en-US')} without a verdict` : '',
  ].filter((each) => each !== '');
  sentences.push(
    unknown === runs
      ? 'Nothing says whether they succeeded.'
      : `${known.join(', ')}${assumed > 0 ? ` (${assumed.toLocaleString('en-US')} of these assumed)` : ''}.`,
  );
  const picks = data.picks?.runs.length ?? 0;
  if (picks > 0) {
    const covered = data.picks?.coverage.at(-1) ?? 0;
    sentences.push(
      `To know these runs, read the ${picks} below: they stand for ${percent(covered)} of what is in all of them.`,
    );
  }
  return sentences;
}

/** How many runs have scores of each fifth of the range, the best first. */
export function bandsOf({ runs }: ReportData): { name: string; from: number; runs: number }[] {
  const counts = [0, 0, 0, 0, 0];
  for (const { score } of runs) {
    const band = Math.min(4, Math.max(0, Math.floor(score * 5)));
    counts[band] = (counts[band] ?? 0) + 1;
  }
  const nameOfBand = (band: number): string => {
    if (band === 4) return '0.8 or more';
    return band === 0 ? 'under 0.2' : `${band / 5} to ${(band + 1) / 5}`;
  };
  return counts
    .map((count, band) => ({ name: nameOfBand(band), from: band / 5, runs: count }))
    .reverse();
}

/** Why a picked run is worth reading, in a few words. */
export function reasonFor(data: ReportData, pick: number): string {
  const run = data.runs[data.picks?.runs[pick] ?? -1];
  if (run === undefined) return '';
  const others = (data.picks?.represents[pick] ?? 1) - 1;
  const stands = others > 0 ? `stands for ${plural(others, 'other run')}` : 'like no other run';
  const strongest = strongestOf(run);
  const what =
    strongest === undefined ? '' : `, most of its score from ${data.dimensions[strongest]}`;
  const raisedBy = run.rules.filter(([, before, after]) => after > before);
  return `${stands}${what}${raisedBy.map(([label]) => `, ${label}`).join('')}`;
}

/** The place of the dimension that contributes most; undefined when none does. */
function strongestOf({ values, weights }: ReportRun): number | undefined {
  let best: number | undefined;
  let most = 0;
  for (const [place, value] of values.entries()) {
    const contribution = value * (weights[place] ?? 0);
    if (contribution > most) [best, most] = [place, contribution];
  }
  return best;
}

/** What a run is called where there is room for one name: its objective, its task, or its id. */
export function titleOf({ id, task, objective }: ReportRun): string {
  return objective ?? (task === undefined ? shortId(id) : `task ${task}, ${shortId(id)}`);
}

/** A run's id without what all ids begin with. */
export function shortId(id: string): string {
  return id.replace(/^kp:trace:/, '');
}

export function outcomeOf({ success, successSource }: ReportRun): string {
  if (success === null) return 'unknown';
  const word = success ? 'succeeded' : 'failed';
  return successSource === 'assumed' ? `${word} (assumed)` : word;
}

function plural(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}

function share(count: number, of: number): string {
  return `${count.toLocaleString('en-US')} (${percent(count / of)})`;
}
