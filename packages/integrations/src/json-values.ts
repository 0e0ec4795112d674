import type { JsonValue } from '@kp/importers';

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text as it is, an error by its message, anything else as JSON. */
export function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (value === undefined) return '';
  return JSON.stringify(toJson(value));
}

const DEEPEST = 50;

/**
 * A copy of any value as JSON: dates and addresses as texts, big integers as numbers in a text, maps
 * and sets as arrays, `[circular]` for what contains itself, null for functions and symbols. Never
 * throws, whatever getters and proxies do.
 */
export function toJson(value: unknown): JsonValue {
  return convert(value, new Set(), 0);
}

function convert(value: unknown, above: Set<object>, depth: number): JsonValue {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : null;
    case 'bigint':
      return value.toString();
    case 'object':
      return value === null ? null : convertObject(value, above, depth);
    default:
      return null;
  }
}

function convertObject(value: object, above: Set<object>, depth: number): JsonValue {
  if (above.has(value)) return '[circular]';
  if (depth >= DEEPEST) return '[too deep]';
  above.add(value);
  try {
    const inner = (each: unknown): JsonValue => convert(each, above, depth + 1);
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
    if (value instanceof URL || value instanceof RegExp) return String(value);
    if (value instanceof Error) return `${value.name}: ${value.message}`;
    if (Array.isArray(value)) return value.map(inner);
    if (value instanceof Map || value instanceof Set) return [...value].map(inner);
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return '[bytes]';
    return Object.fromEntries(Object.keys(value).map((key) => [key, inner(read(value, key))]));
  } catch {
    // A getter or a proxy that throws: the rest of the run is worth keeping.
    return '[unreadable]';
  } finally {
    above.delete(value);
  }
}

function read(value: object, key: string): unknown {
  try {
    return Reflect.get(value, key);
  } catch {
    return '[unreadable]';
  }
}
