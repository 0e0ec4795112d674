import type { ScoreReport } from '@kp/scoring';
import { CurationInputError } from './errors.ts';

/** @throws {@link CurationInputError} naming the first run that has a number that is not finite. */
export function checkReports(reports: readonly ScoreReport[]): void {
  for (const [run, report] of reports.entries()) {
    const { score, composite, dimensions, weights, contributions, complexity } = report;
    const records = { dimensions, weights, contributions, complexity };
    const numbers = Object.entries(records).flatMap(([field, values]) =>
      Object.entries(values).map(([name, value]) => [`${field}.${name}`, value] as const),
    );
    for (const [name, value] of [...numbers, ['score', score], ['composite', composite]] as const) {
      if (Number.isFinite(value)) continue;
      const subject = `reports[${run}].${name} of ${report.traceId}`;
      throw new CurationInputError(subject, 'a finite number', value);
    }
  }
}
