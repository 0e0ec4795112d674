import type { JsonValue } from './json-value.ts';

const MOST_KEYS = 6;
const MOST_CHARACTERS = 24;

/** Says in a few words what a value is, for error messages; its text is cut short. */
export function describeJson(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (typeof value === 'string') return value === '' ? 'an empty text' : `"${shorten(value)}"`;
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `an array of ${value.length} values`;
  const keys = Object.keys(value);
  if (keys.length === 0) return 'an empty object';
  const named = keys.slice(0, MOST_KEYS).map(shorten).join(', ');
  return `an object with the keys ${named}${keys.length > MOST_KEYS ? ', …' : ''}`;
}

function shorten(text: string): string {
  const line = text.slice(0, MOST_CHARACTERS).replaceAll(/\s+/g, ' ');
  return text.length <= MOST_CHARACTERS ? line : `${line}…`;
}
