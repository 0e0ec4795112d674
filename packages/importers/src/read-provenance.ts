import { asObjects, isJsonObject, type JsonObject, type JsonValue } from './json/json-value.ts';
import type { DerivedField, Provenance } from './provenance.ts';

const SUCCESS = ['recorded', 'graded', 'labelled', 'given', 'assumed', 'unknown'];
const FROM = ['recorded', 'given', 'assumed'];

/** Which values each field may have that a trace can do without. */
const OPTIONAL: Readonly<Record<string, (value: JsonValue) => boolean>> = {
  grade: (value) => typeof value === 'number' && value >= 0 && value <= 1,
  verdict_choices: isTexts,
  verdict: isText,
  task: isText,
  model: isText,
  stripped: isAmounts,
  shell_tools: (value) => value === 'one' || value === 'by_command',
  parent: isNames,
  ending: (value) => value === 'interrupted',
  omitted: isAmounts,
};

/**
 * The provenance that a trace of our own format carries. Anyone may have written the file: a field
 * that is not what it should be is left out, and one that says where a value comes from counts as
 * `recorded` then, which is what a trace without any provenance says.
 *
 * @returns undefined where there is none: without the format, the source or that of success.
 */
export function readProvenance(value: JsonValue | undefined): Provenance | undefined {
  if (!isJsonObject(value)) return undefined;
  const { format, source, success } = value;
  if (!isText(format) || !isNames(source) || !SUCCESS.includes(success as string)) return undefined;
  const known = Object.entries(value).filter(([name, field]) => OPTIONAL[name]?.(field));
  return {
    format,
    source,
    success: success as Provenance['success'],
    ...Object.fromEntries(known),
    confidence: oneOf(FROM, value.confidence) as Provenance['confidence'],
    domain: oneOf(FROM, value.domain) as Provenance['domain'],
    objective: oneOf(['recorded', 'unknown'], value.objective) as Provenance['objective'],
    created_at: oneOf(
      ['recorded', 'assumed_utc', 'unknown'],
      value.created_at,
    ) as Provenance['created_at'],
    derived: asObjects(value.derived).flatMap(readDerived),
  };
}

function readDerived(field: JsonObject): DerivedField[] {
  const { step_id, value, recorded_as, from, signs } = field;
  if (typeof step_id !== 'number') return [];
  if (field.field === 'content' && value === 'verdict_removed') {
    return [{ step_id, field: 'content', value }];
  }
  const isStep = recorded_as === 'thought' || recorded_as === 'tool_call';
  if (field.field !== 'type' || value !== 'error_recovery' || !isStep) return [];
  const numbers = Array.isArray(from) ? from.filter((step) => typeof step === 'number') : [];
  return [
    {
      step_id,
      field: 'type',
      value,
      recorded_as,
      from: numbers,
      signs: isTexts(signs) ? signs : [],
    },
  ];
}

function oneOf(choices: readonly string[], value: JsonValue | undefined): string {
  return choices.find((choice) => choice === value) ?? 'recorded';
}

function isText(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value !== '';
}

function isTexts(value: JsonValue | undefined): value is string[] {
  return Array.isArray(value) && value.every(isText);
}

function isNames(value: JsonValue | undefined): value is Record<string, string | number> {
  return (
    isJsonObject(value) &&
    Object.values(value).every((name) => typeof name === 'string' || typeof name === 'number')
  );
}

function isAmounts(value: JsonValue | undefined): boolean {
  return isJsonObject(value) && Object.values(value).every((amount) => typeof amount === 'number');
}
