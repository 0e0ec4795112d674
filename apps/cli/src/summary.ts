import type { Colors } from './colors.ts';
import type { RunningStatistics } from './running-statistics.ts';

export interface SummaryFacts {
  readonly scores: RunningStatistics;
  readonly atThreshold: number;
  readonly threshold: number;
  /** Traces and places in the inputs that could not be scored. */
  readonly problems: number;
  /** What was taken for granted, a line each. */
  readonly notes: readonly string[];
  readonly elapsedMs: number;
  readonly interrupted: boolean;
}

/** The closing lines of a run: how many, how good, how far apart, how fast. */
export function renderSummary(facts: SummaryFacts, colors: Colors): string {
  const { scores, atThreshold, threshold, problems, elapsedMs } = facts;
  const lines = [''];
  if (scores.count > 0) {
    const rate = scores.count / Math.max(elapsedMs / 1000, 1e-3);
    lines.push(
      `${colors.bold(count(scores.count, 'trace'))}   mean ${scores.mean.toFixed(3)}   ` +
        `spread ±${scores.standardDeviation.toFixed(3)} (${scores.minimum.toFixed(3)} to ${scores.maximum.toFixed(3)})`,
      `${colors.bold(`${grouped(atThreshold)} at ${threshold.toFixed(2)} or more`)}   ` +
        `${seconds(elapsedMs)}, ${grouped(Math.round(rate))} traces a second`,
    );
  } else {
    lines.push(colors.bold('no traces scored'));
  }
  for (const note of facts.notes) lines.push(colors.dim(note));
  if (problems > 0) lines.push(colors.red(`${count(problems, 'problem')}, reported above`));
  if (facts.interrupted) lines.push(colors.yellow('interrupted: this is what was done until then'));
  return `${lines.join('\n')}\n`;
}

/** `1 trace`, `12,000 traces`. */
export function count(amount: number, noun: string): string {
  return `${grouped(amount)} ${noun}${amount === 1 ? '' : 's'}`;
}

function grouped(amount: number): string {
  return amount.toLocaleString('en-US');
}

function seconds(milliseconds: number): string {
  return milliseconds < 1000
    ? `${Math.round(milliseconds)} ms`
    : `${(milliseconds / 1000).toFixed(1)} s`;
}
