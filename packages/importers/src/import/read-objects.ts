import { describeValue } from '@kp/foundation';
import { describeProblem, type ImportProblem } from '../errors/errors.ts';
import { toJson } from '../json/to-json.ts';
import type { JsonItem } from '../json-stream/line-reader.ts';

/**
 * Yields the values of objects in memory as if they were in a file: one value, or the elements of an
 * array, iterable or async iterable. A nested array is a separate document, such as the messages of
 * one run among several. Awaits promises.
 *
 * @throws any error of an iterable.
 */
export async function* readObjects(objects: unknown): AsyncGenerator<JsonItem> {
  const given = await objects;
  const list = asIterable(given);
  if (list === undefined) {
    yield* item(given, 1, 0, undefined);
    return;
  }
  let index = 0;
  for await (const object of list) {
    // An array among runs contains the pieces of one run.
    const isDocument = Array.isArray(object);
    yield* item(object, index + 1, isDocument ? index + 1 : 0, isDocument ? undefined : index);
    index += 1;
  }
}

/** Makes objects readable twice. */
export async function holdObjects(objects: unknown): Promise<unknown> {
  const list = asIterable(objects);
  return list === undefined ? objects : holdAll(list);
}

/** Collects the values of an iterable. */
export async function holdAll<Value>(
  values: Iterable<Value> | AsyncIterable<Value>,
): Promise<Value[]> {
  const held: Value[] = [];
  for await (const value of values) held.push(value);
  return held;
}

/** Returns the value if it should be iterated: not text, bytes, or a keyed collection. */
function asIterable(value: unknown): AsyncIterable<unknown> | Iterable<unknown> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value) || value instanceof Set) return value;
  if (value instanceof Map || ArrayBuffer.isView(value)) return undefined;
  const isIterable = Symbol.asyncIterator in value || Symbol.iterator in value;
  return isIterable ? (value as AsyncIterable<unknown>) : undefined;
}

function* item(
  object: unknown,
  line: number,
  document: number,
  index: number | undefined,
): Generator<JsonItem> {
  const value = toJson(object);
  if (value === undefined) yield { line, error: notAnObject(object, line) };
  else yield { line, endLine: line, document, index, value };
}

/** The problem for a value without a JSON form, such as undefined or a function. */
function notAnObject(object: unknown, line: number): ImportProblem {
  const expected = 'messages, or an object of a known format';
  const remedy = 'pass what the library returned, awaited';
  return describeProblem('UNKNOWN_FORMAT', { line }, expected, describeValue(object), remedy);
}
