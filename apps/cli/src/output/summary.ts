import type { Colors } from './colors.ts';
import { count, grouped, percent, wrap } from './text.ts';

/** URL of the JSON Schema for this version of the `--json` output. */
export const OUTPUT_SCHEMA = 'https://openknowledgepulse.org/schema/kp-output/v1';

export interface SummaryFacts {
  readonly scores: RunningStatistics;
  readonly outcomes: Outcomes;
  readonly atThreshold: number;
  readonly threshold: number;
  /** Number of input parts that could not be read or scored. */
  readonly problems: number;
  /** Lines about assumptions, omitted runs and kept runs. */
  readonly notes: readonly string[];
  readonly elapsedMs: number;
  readonly interrupted: boolean;
}

/**
 * Renders the final lines: number of runs, results, spread and speed.
 *
 * @param width - columns of the terminal; undefined for no wrapping.
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

/** Number of runs and of passed runs; a crashed run has a verdict. */
interface Outcomes {
  readonly crashed: number;
  readonly refused: number;
  readonly verdicts: number;
  readonly passed: number;
}

/** Builds the last record of `kp score --json`. */
export function summaryRecord({ scores, outcomes, ...facts }: SummaryFacts): object {
  const { count: scored, mean, standardDeviation, minimum, maximum } = scores;
  const { verdicts, passed } = outcomes;
  // The order of the runs changes the last digits of sums, so round them.
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

/** Count, mean and spread of a stream of numbers, without storing them. */
export interface RunningStatistics {
  readonly count: number;
  /** NaN without numbers. */
  readonly mean: number;
  /** Population standard deviation, not a sample estimate. */
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

/** Counts the assumptions made for runs with missing fields. */
export interface Assumptions {
  /** @param sources - where outcome and confidence of a run come from. */
  add(sources: { readonly success: string; readonly confidence: string } | undefined): void;
  /** One line per assumption, with the option that overrides it. */
  describe(): readonly string[];
}

export function createAssumptions(countedAs: 'succeeded' | 'failed'): Assumptions {
  let unknownSuccess = 0;
  let graded = 0;
  let inferred = 0;
  let assumedConfidence = 0;
  return {
    add(sources) {
      const { success, confidence } = sources ?? {};
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
