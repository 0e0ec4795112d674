import { messageOf } from '@kp/foundation';
import { parse } from 'csv-parse/sync';
import { wrongUse } from '../output/errors.ts';
import { excerpt } from '../output/text.ts';
import { readNamed } from './inputs.ts';

/**
 * Reads ratings by run id: a JSON object, or CSV with the columns `id` and `rating`.
 *
 * @throws UsageError that names the file and the invalid entry.
 */
export async function loadRatings(path: string): Promise<ReadonlyMap<string, number>> {
  const text = await readNamed(path, '--ratings');
  let entries: readonly (readonly [string, unknown])[];
  try {
    entries = /^\s*\{/.test(text) ? Object.entries(JSON.parse(text)) : csvEntries(text);
  } catch (error) {
    throw wrongUse(`--ratings ${path}`, 'JSON or CSV', excerpt(messageOf(error)));
  }
  return new Map(
    entries.map(([id, value]) => {
      const rating = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
      if (typeof rating === 'number' && Number.isFinite(rating)) return [id, rating];
      const received = excerpt(JSON.stringify(value));
      throw wrongUse(`--ratings ${path}, ${excerpt(id)}`, 'a number', received);
    }),
  );
}

function csvEntries(text: string): (readonly [string, unknown])[] {
  const rows: Record<string, string>[] = parse(text, {
    columns: true,
    skip_empty_lines: true,
    trim: true,
    bom: true,
  });
  return rows.map(({ id, rating }, index) => {
    if (id !== undefined && rating !== undefined) return [id, rating];
    throw new Error(`row ${index + 2} without the columns id and rating`);
  });
}
