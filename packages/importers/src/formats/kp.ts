import type { Importer } from '../importer.ts';
import { isJsonObject } from '../json/json-value.ts';

/** Name of the format that needs no conversion. */
export const KP_FORMAT = 'kp';

const FIELDS = ['metadata', 'task', 'steps', 'outcome'];

/** Traces that are in their own form already: passed through as found. */
export const kpImporter: Importer = {
  name: KP_FORMAT,
  title: 'ReasoningTrace objects',
  detect(value) {
    if (!isJsonObject(value)) return undefined;
    if (value['@type'] === 'ReasoningTrace')
      return { seen: '@type ReasoningTrace', fit: 'distinct' };
    const fields = FIELDS.filter((field) => Object.hasOwn(value, field));
    if (fields.length < 3) return undefined;
    return { seen: `the fields ${fields.join(', ')}`, fit: 'possible' };
  },
  // The pipeline hands the value on by itself: there is no run to build a trace from.
  read: () => [],
};
