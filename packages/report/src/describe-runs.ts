import { percent } from '@kp/foundation';
import type { ReportData, ReportRun } from './report-data.ts';
import { howItWent } from './run-titles.ts';

/** How many runs, how good, their outcomes, and what to do: one sentence each. */
export function verdictOf(data: ReportData): string[] {
  const { runs, threshold } = data;
  const count = (test: (run: ReportRun) => boolean): number => runs.filter(test).length;
  if (runs.length === 0) return ['There are no runs in this report.'];
  const files = new Set(runs.map(({ file }) => file)).size;
  const from = files > 1 ? ` from ${files} files` : '';
  const mean = runs.reduce((sum, { score }) => sum + score, 0) / runs.length;
  const good = count(({ score }) => score >= threshold);
  const outcomes = [
    [count(({ success }) => success === true), 'succeeded'],
    [count(({ success }) => success === false), 'failed'],
    [count(({ success }) => success === null), 'without a verdict'],
  ] as const;
  const listed = outcomes
    .filter(([amount]) => amount > 0)
    .map(([amount, what]) => `${amount.toLocaleString('en-US')} ${what}`);
  const assumed = count((run) => run.success !== null && run.successSource === 'assumed');
  const ofThese = assumed > 0 ? ` (${assumed.toLocaleString('en-US')} of these assumed)` : '';
  const sentences = [
    `${plural(runs.length, 'run')}${from}, worth ${mean.toFixed(2)} on average: ${share(good, runs.length)} at ${threshold.toFixed(2)} or more.`,
    outcomes[2][0] === runs.length
      ? 'Nothing says whether they succeeded.'
      : `${listed.join(', ')}${ofThese}.`,
  ];
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

/** What a run was to do and how it went, in one line. */
export function titleOf(run: ReportRun, tools: readonly string[]): string {
  const went = howItWent(run, tools);
  return went === '' ? run.title : `${run.title}, ${went}`;
}

/** A run's id without what all ids begin with. */
export function shortId(id: string): string {
  return id.replace(/^kp:trace:/, '');
}

export function outcomeOf({ success, successSource }: ReportRun): string {
  if (success === null) return 'unknown';
  const word = success ? 'succeeded' : 'failed';
  const isUnrecorded = successSource === 'assumed' || successSource === 'inferred';
  return isUnrecorded ? `${word} (${successSource})` : word;
}

function plural(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}

function share(count: number, of: number): string {
  return `${count.toLocaleString('en-US')} (${percent(count / of)})`;
}
