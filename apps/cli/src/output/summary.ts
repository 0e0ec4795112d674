import type { Provenance } from '@kp/importers';
import type { Colors } from './colors.ts';
import { count, grouped, percent, wrap } from './text.ts';

/** The JSON Schema of what `--json` prints, of which this is the version. */
export const OUTPUT_SCHEMA = 'https://openknowledgepulse.org/schema/kp-output/v1';

export interface SummaryFacts {
  readonly scores: RunningStatistics;
  readonly outcomes: Outcomes;
  readonly atThreshold: number;
  readonly threshold: number;
  /** What in the inputs could not be read or scored. */
  readonly problems: number;
  /** What was taken for granted, left out or kept, a line each. */
  readonly notes: readonly string[];
  readonly elapsedMs: number;
  readonly interrupted: boolean;
}

/**
 * The closing lines of a run: how many, how good, how far apart, how fast.
 *
 * @param width - columns of the terminal; undefined where there is none, then nothing is wrapped.
 */
export function renderSummary(
  facts: SummaryFacts,
  width: number | undefined,
  colors: Colors,
): string {
  const { scores, outcomes, atThreshold, threshold, problems, elapsedMs } = facts;
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
  if (outcomes.crashed > 0) {
    const { passed, verdicts } = outcomes;
    lines.push(
      `${grouped(passed)} of ${count(verdicts, 'run')} with a verdict passed (${percent(passed / verdicts)}), crashed runs included`,
    );
  }
  for (const note of facts.notes) lines.push(colors.dim(note));
  if (problems > 0) lines.push(colors.red(`${count(problems, 'problem')}, reported above`));
  if (facts.interrupted) lines.push(colors.yellow('interrupted: these are the results so far'));
  const shown = width === undefined ? lines : lines.flatMap((line) => wrap(line, width, '  '));
  return `${shown.join('\n')}\n`;
}

/** How many runs there are and how many of them passed; a run that crashed has a verdict. */
interface Outcomes {
  readonly crashed: number;
  readonly refused: number;
  readonly verdicts: number;
  readonly passed: number;
}

/** The last record of the output of `kp score --json`. */
export function summaryRecord({ scores, outcomes, ...facts }: SummaryFacts): object {
  const { count: scored, mean, standardDeviation, minimum, maximum } = scores;
  const { verdicts, passed } = outcomes;
  // Sums differ in their last digits by the order of the runs, which changes nothing else.
  const known = (value: number): number | null => (scored === 0 ? null : Number(value.toFixed(12)));
  return {
    kind: 'summary',
    schema: OUTPUT_SCHEMA,
    command: 'score',
    runs: scored + outcomes.crashed,
    scored,
    ...outcomes,
    passRate: verdicts === 0 ? null : passed / verdicts,
    mean: known(mean),
    standardDeviation: known(standardDeviation),
    minimum: known(minimum),
    maximum: known(maximum),
    threshold: facts.threshold,
    atThreshold: facts.atThreshold,
    problems: facts.problems,
    interrupted: facts.interrupted,
  };
}

/** Count, mean and spread of numbers that pass by; keeps none of them. */
export interface RunningStatistics {
  readonly count: number;
  /** NaN when there is none. */
  readonly mean: number;
  /** Standard deviation of the numbers themselves, not an estimate from a sample. */
  readonly standardDeviation: number;
  readonly minimum: number;
  readonly maximum: number;
}

/** @see Welford, 'Note on a method for calculating corrected sums of squares and products', 1962. */
export function createRunningStatistics(): { add(value: number): void; read(): RunningStatistics } {
  let amount = 0;
  let mean = 0;
  let squares = 0;
  let minimum = Number.POSITIVE_INFINITY;
  let maximum = Number.NEGATIVE_INFINITY;
  return {
    add(value) {
      amount++;
      const before = value - mean;
      mean += before / amount;
      squares += before * (value - mean);
      minimum = Math.min(minimum, value);
      maximum = Math.max(maximum, value);
    },
    read: () => ({
      count: amount,
      mean: amount === 0 ? Number.NaN : mean,
      standardDeviation: amount === 0 ? Number.NaN : Math.sqrt(squares / amount),
      minimum,
      maximum,
    }),
  };
}

/** Counts what was taken for granted of runs that do not record it. */
export interface Assumptions {
  add(provenance: Provenance | undefined): void;
  /** One line each, with the way to say otherwise. */
  describe(): readonly string[];
}

export function createAssumptions(countedAs: 'succeeded' | 'failed'): Assumptions {
  let unknownSuccess = 0;
  let graded = 0;
  let inferred = 0;
  let assumedConfidence = 0;
  return {
    add(provenance) {
      const { success, confidence } = provenance ?? {};
      if (success === 'unknown' || success === 'assumed') unknownSuccess++;
      if (success === 'graded') graded++;
      if (success === 'inferred') inferred++;
      if (confidence === 'assumed') assumedConfidence++;
    },
    describe() {
      const lines: string[] = [];
      if (graded > 0)
        lines.push(
          `${count(graded, 'run')} with a grade instead of a verdict (--pass-at sets the limit)`,
        );
      if (inferred > 0) {
        lines.push(
          `${count(inferred, 'run')} with an outcome that is inferred from the end of the session, not recorded (marked ?)`,
        );
      }
      if (unknownSuccess > 0) {
        const wayOut = countedAs === 'succeeded' ? ' (--assume-failure counts them as failed)' : '';
        lines.push(
          `${count(unknownSuccess, 'run')} without a verdict, counted as ${countedAs}${wayOut}`,
        );
      }
      if (assumedConfidence > 0) {
        const runs = count(assumedConfidence, 'run');
        lines.push(`${runs} without a confidence, counted as 0.5 (--confidence sets another)`);
      }
      return lines;
    },
  };
}

function seconds(milliseconds: number): string {
  return milliseconds < 1000
    ? `${Math.round(milliseconds)} ms`
    : `${(milliseconds / 1000).toFixed(1)} s`;
}
