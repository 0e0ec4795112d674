import type { ScoreReport } from '@kp/scoring';
import { CurationInputError, checkList } from './errors.ts';

/**
 * @throws {@link CurationInputError} unless all are reports; names the first run that has a number
 * that is not finite.
 */
export function checkReports(reports: readonly ScoreReport[]): void {
  checkList('reports', reports);
  for (const [run, report] of reports.entries()) {
    if (typeof report?.dimensions !== 'object') {
      throw new CurationInputError(`reports[${run}]`, 'a report of a score', report);
    }
    const { score, composite, dimensions, weights, contributions, complexity } = report;
    const records = { dimensions, weights, contributions, complexity };
    const numbers = Object.entries(records).flatMap(([field, values]) =>
      Object.entries(values ?? {}).map(([name, value]) => [`${field}.${name}`, value] as const),
    );
    for (const [name, value] of [...numbers, ['score', score], ['composite', composite]] as const) {
      if (Number.isFinite(value)) continue;
      const subject = `reports[${run}].${name} of ${report.traceId}`;
      throw new CurationInputError(subject, 'a finite number', value);
    }
  }
}
