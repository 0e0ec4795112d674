import type { ScoreReport } from '@kp/scoring';
import { CurationInputError } from './errors.ts';

/** @throws {@link CurationInputError} naming the first run that has a number that is not finite. */
export function checkReports(reports: readonly ScoreReport[]): void {
  for (const [run, { traceId, score, composite, dimensions, weights }] of reports.entries()) {
    const numbers = {
      score,
      composite,
      ...prefixed('dimensions', dimensions),
      ...prefixed('weights', weights),
    };
    for (const [name, value] of Object.entries(numbers)) {
      if (Number.isFinite(value)) continue;
      const subject = `reports[${run}].${name} of ${traceId}`;
      throw new CurationInputError(subject, 'a finite number', value);
    }
  }
}

function prefixed(prefix: string, values: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [`${prefix}.${name}`, value]),
  );
}
