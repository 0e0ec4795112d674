import { stringify } from 'csv-stringify/sync';
import type { FieldValue } from '../runs/run-fields.ts';

/** What a spreadsheet takes for the start of a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * A line of comma-separated values. Lists are joined by a blank.
 *
 * @param escapesFormulas - put `'` before text that a spreadsheet would run as a formula; text that is
 * a number is left alone.
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
    // The library quotes a line break only if it is the delimiter of records.
    quoted_match: /[\r\n]/,
  });
}
