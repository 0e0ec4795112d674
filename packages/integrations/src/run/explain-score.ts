import { assertFields, signed, wordsOf } from '@kp/foundation';
import { labelOf, type ScoreReport } from '@kp/scoring';

/**
 * Explains a score in one sentence, without any text of the run.
 *
 * @param report - report of any scorer.
 */
export function explainScore(report: ScoreReport): string {
  const fields = { dimensions: 'an object', novelty: 'an object', overrides: 'an array' } as const;
  assertFields('report', report, fields);
  const parts = Object.entries(report.dimensions).map(
    ([name, value]) => `${labelOf(name)} ${value.toFixed(2)}`,
  );
  const { source, nearest } = report.novelty;
  const compared =
    nearest === undefined
      ? ` (${wordsOf(source)})`
      : ` (${nearest.similarity.toFixed(2)} like ${nearest.key ?? 'an earlier run'})`;
  const rules = report.overrides.map(({ rule, before, after }) => {
    return `; ${labelOf(rule)} ${signed(after - before)}`;
  });
  const listed = parts.join(', ').replace(/novelty \d\.\d\d/, (text) => text + compared);
  return `${report.score.toFixed(3)} by the weights of ${report.profile}: ${listed}${rules.join('')}.`;
}
