import type { Provenance } from '@kp/importers';
import { jsonText } from '../output/control-characters.ts';
import type { RunFields } from './run-fields.ts';

/** The last fields of the JSON record of a run, without the braces around them. */
export function runText(fields: RunFields, provenance: Provenance | undefined): string {
  return jsonText({ run: fields, provenance }).slice(1, -2);
}

/** Reads what {@link runText} wrote. */
export function readRunText(text: string): {
  readonly run: RunFields;
  readonly provenance: Provenance | undefined;
} {
  const { run, provenance } = JSON.parse(`{${text}}`);
  return { run, provenance };
}
