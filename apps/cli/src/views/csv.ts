import { stringify } from 'csv-stringify/sync';
import type { FieldValue } from '../runs/run-fields.ts';

/** Characters that start a formula in spreadsheets. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * Formats a CSV line. Lists are joined by spaces.
 *
 * @param escapesFormulas - prefixes `'` to text that a spreadsheet would run as a formula, except
 * numbers.
 * @see RFC 4180, section 2, and https://owasp.org/www-community/attacks/CSV_Injection
 */
export function csvLine(values: readonly FieldValue[], escapesFormulas: boolean): string {
  const cells = values.map((value) => {
    const cell = Array.isArray(value) ? value.join(' ') : value;
    const isRisky = typeof cell === 'string' && FORMULA.test(cell) && Number.isNaN(Number(cell));
    return isRisky && escapesFormulas ? `'${cell}` : cell;
  });
  return stringify([cells], {
    record_delimiter: '\r\n',
    cast: { boolean: String },
    // The library quotes a line break only if it is the record delimiter.
    quoted_match: /[\r\n]/,
  });
}
