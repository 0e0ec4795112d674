/** Any value that JSON can hold. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

/** A JSON object. Keys such as `__proto__` are own properties like any other. */
export interface JsonObject {
  [key: string]: JsonValue;
}

/**
 * Whether `value` is a JSON object: neither null nor an array.
 *
 * @param value - anything that JSON can hold.
 */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A name or label as text, '' where there is none; safe for objects of any kind. */
export function asName(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

/**
 * A text with something in it; undefined of anything else.
 *
 * @param value - anything that JSON can hold.
 */
export function asString(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/**
 * The objects in `value` when it is an array; none otherwise.
 *
 * @param value - anything that JSON can hold.
 */
export function asObjects(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** Milliseconds since the epoch as ISO 8601; undefined for anything that is no date. */
export function isoTime(milliseconds: unknown): string | undefined {
  const date = new Date(typeof milliseconds === 'number' ? milliseconds : Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** Levels of arrays and objects in a value beyond which it is not read: recursion has an end. */
export const MAX_NESTING = 512;

/** Most fields of one object. V8 takes seconds for every look at one with millions of them. */
export const MAX_FIELDS = 1_000_000;

/** Which limit a value exceeds, if any: that of nested arrays and objects, or of fields. */
export function excessOf(
  value: JsonValue,
  levels: number = MAX_NESTING,
): 'nesting' | 'fields' | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (levels === 0) return 'nesting';
  if (Array.isArray(value)) {
    for (const child of value) {
      const excess = excessOf(child, levels - 1);
      if (excess !== undefined) return excess;
    }
    return undefined;
  }
  let fields = 0;
  for (const key in value) {
    if (++fields > MAX_FIELDS) return 'fields';
    const excess = excessOf(value[key] as JsonValue, levels - 1);
    if (excess !== undefined) return excess;
  }
  return undefined;
}

/** A value, parsed where it is a text with the JSON of an object or array. */
export function parseEmbedded(value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    const parsed: JsonValue = JSON.parse(value);
    return excessOf(parsed) === undefined ? parsed : value;
  } catch {
    return value;
  }
}

const MOST_KEYS = 6;
const MOST_CHARACTERS = 24;

/**
 * Says in a few words what a value is, for error messages; its text is cut short.
 *
 * @param value - anything that JSON can hold.
 */
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
