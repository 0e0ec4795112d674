import type { JsonObject } from '../json/json-value.ts';

/** Collects the fields of `record` that name the run: those of `fields` that are text or number. */
export function sourceIds(
  record: JsonObject,
  fields: readonly string[],
): Record<string, string | number> {
  const ids: Record<string, string | number> = {};
  for (const field of fields) {
    const value = record[field];
    if ((typeof value === 'string' && value !== '') || typeof value === 'number')
      ids[field] = value;
  }
  return ids;
}
