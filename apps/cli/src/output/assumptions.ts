import { count } from './text.ts';

/** Counts the assumptions made for runs with missing fields. */
export interface Assumptions {
  /**
   * @param sources - where outcome and confidence of a run come from.
   * @param counted - what the run counts as; false for one that did not complete.
   */
  add(
    sources: { readonly success: string; readonly confidence: string } | undefined,
    counted: boolean,
  ): void;
  /** One line per assumption, with the option that overrides it. */
  describe(): readonly string[];
}

export function createAssumptions(countedAs: 'succeeded' | 'failed'): Assumptions {
  let unknownSuccess = 0;
  let incomplete = 0;
  let graded = 0;
  let inferred = 0;
  let assumedConfidence = 0;
  return {
    add(sources, counted) {
      const { success, confidence } = sources ?? {};
      if (success === 'unknown' || success === 'assumed') {
        if (countedAs === 'succeeded' && !counted) incomplete++;
        else unknownSuccess++;
      }
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
      if (incomplete > 0) {
        lines.push(
          `${count(incomplete, 'run')} without a verdict that did not complete, counted as failed`,
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
