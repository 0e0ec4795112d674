import {
  asName,
  asObjects,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../json/json-value.ts';
import type { Attributes } from './span.ts';

/** Attributes as OTLP JSON writes them: a list of keys and typed values. */
export function readKeyValues(list: JsonValue | undefined): Attributes {
  return Object.fromEntries(
    asObjects(list).map(({ key, value }) => [asName(key), readAnyValue(value)]),
  );
}

/**
 * A typed value of OTLP JSON, `{stringValue: "x"}`, as the value itself.
 *
 * @see opentelemetry-proto, common/v1/common.proto, message AnyValue.
 */
export function readAnyValue(value: JsonValue | undefined): JsonValue {
  if (!isJsonObject(value)) return value ?? null;
  const [[kind, inner] = ['', null]] = Object.entries(value);
  switch (kind.replaceAll('_', '').toLowerCase()) {
    case 'intvalue':
    case 'doublevalue':
      return typeof inner === 'string' || typeof inner === 'number' ? Number(inner) : null;
    case 'arrayvalue':
      return listIn(inner).map(readAnyValue);
    case 'kvlistvalue':
      return { ...readKeyValues(listIn(inner)) };
    default:
      return inner;
  }
}

/** The first of some fields that a record has, in camel case or in snake case. */
export function fieldIn(record: JsonObject, ...names: readonly string[]): JsonValue | undefined {
  for (const name of names) {
    const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const value = record[name] ?? record[snake];
    if (value !== undefined) return value;
  }
  return undefined;
}

function listIn(value: JsonValue): JsonValue[] {
  const values = isJsonObject(value) ? value.values : undefined;
  return Array.isArray(values) ? values : [];
}
