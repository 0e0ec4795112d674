import { type JsonObject, type JsonValue, MAX_NESTING } from './json-value.ts';

/**
 * Any value of JavaScript as JSON: what `JSON.stringify` and `JSON.parse` make of it, and for what
 * they refuse or lose something that says what was there. Dates are ISO 8601, maps are objects, sets
 * are arrays, errors their name and message, bytes their number, whole numbers of any size text
 * where no double holds them. A value inside of itself is `[circular]`, one that throws when it is
 * looked at `[unreadable]`. Functions and symbols are left out. After 500,000 values, which a few
 * objects that share their parts can come to, it is `[too many values]` for the rest.
 *
 * @param value - anything, cycles included.
 * @returns undefined for what JSON has no form for.
 */
export function toJson(value: unknown): JsonValue | undefined {
  return convert(value, { around: new Set(), left: MOST_VALUES }, 0);
}

const MOST_VALUES = 500_000;

/** One conversion: the objects around the value, and how many values there may still be. */
interface Conversion {
  readonly around: Set<object>;
  left: number;
}

function convert(value: unknown, under: Conversion, depth: number): JsonValue | undefined {
  under.left -= 1;
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'bigint') {
    return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  }
  if (typeof value !== 'object') return undefined;
  const { around } = under;
  if (around.has(value)) return '[circular]';
  if (depth >= MAX_NESTING) return '[nested too deep]';
  if (under.left <= 0) return '[too many values]';
  around.add(value);
  try {
    return convertObject(value, under, depth);
  } catch {
    return '[unreadable]';
  } finally {
    around.delete(value);
  }
}

function convertObject(value: object, under: Conversion, depth: number): JsonValue | undefined {
  const inner = (child: unknown): JsonValue | undefined => convert(child, under, depth + 1);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) {
    // A sparse one, or a proxy for one, may claim any length.
    if (value.length > MOST_VALUES) return `[${value.length} values]`;
    return value.map((child) => inner(child) ?? null);
  }
  if (value instanceof Set) return [...value].map((child) => inner(child) ?? null);
  if (value instanceof Map) {
    const entries = [...value].map(([key, child]): [string, unknown] => [String(key), child]);
    return fromEntries(entries, inner);
  }
  const own = ownForm(value);
  if (own !== value) return inner(own);
  if (value instanceof Error) {
    return fromEntries(
      [['name', value.name], ['message', value.message], ...Object.entries(value)],
      inner,
    );
  }
  if (value instanceof Promise) return undefined;
  return fromEntries(readable(value), inner);
}

/** What the object itself says that it is in JSON. */
function ownForm(value: object): unknown {
  if (!('toJSON' in value) || typeof value.toJSON !== 'function') return value;
  try {
    return value.toJSON();
  } catch {
    return value;
  }
}

/** The fields that can be read: one whose getter throws costs no other. */
function readable(value: object): [string, unknown][] {
  return Object.keys(value).map((key) => {
    try {
      return [key, (value as Record<string, unknown>)[key]];
    } catch {
      return [key, '[unreadable]'];
    }
  });
}

function fromEntries(
  entries: readonly (readonly [string, unknown])[],
  convertChild: (child: unknown) => JsonValue | undefined,
): JsonObject {
  const object: JsonObject = {};
  for (const [key, child] of entries) {
    const converted = convertChild(child);
    if (converted === undefined) continue;
    if (key === '__proto__') {
      // A key like any other; assigned, it would be lost.
      Object.defineProperty(object, key, {
        value: converted,
        configurable: true,
        enumerable: true,
        writable: true,
      });
    } else {
      object[key] = converted;
    }
  }
  return object;
}
