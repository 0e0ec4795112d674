import { assertType } from '@kp/foundation';
import { asObjects, isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts';
import {
  CALL_ARGUMENTS,
  CALL_ID,
  CALL_NAME,
  CALLS,
  CONTENT,
  HOLDERS,
  MODEL,
  OBJECTIVE,
  RESULT_CONTENT,
  RESULT_ERROR,
  RESULTS,
  ROLE,
  RUN_ID,
  TASK,
  THINKING,
  TIME,
  VERDICT,
} from './field-names.ts';
import { parsePath, valueAt, valuesAt } from './json-path.ts';
import type { Mapping } from './mapping.ts';

/** Maximum depth, and maximum elements of a list, in which to search for messages. */
const MOST_LEVELS = 6;
const MOST_ELEMENTS = 50;

/** A list of messages in a value, with the path to it. */
interface Found {
  readonly path: string;
  readonly messages: readonly JsonObject[];
  readonly role: string;
  readonly content: string;
  readonly score: number;
}

/**
 * Proposes a mapping for a recording by the names and types of its fields. Compare its result with
 * the recording before you use it.
 *
 * @param values - a few values of the file: the whole file, its lines, or the elements of its
 * array.
 * @returns undefined if no list of messages was found.
 */
export function suggestMapping(values: readonly JsonValue[]): Mapping | undefined {
  assertType('values', 'an array', values);
  const whole = toMessages(values.slice(0, MOST_ELEMENTS), '$[*]');
  const inside = values.flatMap((value) => findLists(value, '$', 0));
  const best = [...(whole === undefined || values.length < 2 ? [] : [whole]), ...inside].toSorted(
    (a, b) => b.score - a.score,
  )[0];
  if (best === undefined) return undefined;
  const { path, role, content } = best;
  // The runs are the elements of the last list outside the messages.
  const outer = path === '$[*]' ? -1 : path.slice(0, -3).lastIndexOf('[*]');
  const runs = outer < 0 ? undefined : path.slice(0, outer + 3);
  const messages = runs === undefined ? path : `$${path.slice(runs.length)}`;
  const owner = values.flatMap((value) => ownersOf(value, runs))[0];
  const run = path === '$[*]' || !isJsonObject(owner) ? {} : owner;
  const { messages: listed } = best;
  return withoutUndefined({
    runs,
    messages,
    role,
    content,
    thinking: fieldIn(
      listed,
      THINKING.filter((name) => name !== content),
      isText,
    ),
    roles: rolesOf(listed, role),
    calls: callsOf(listed, role, content),
    results: resultsOf(listed, role, content),
    id: valueIn(run, RUN_ID, isName),
    objective: valueIn(run, OBJECTIVE, isText),
    task: valueIn(run, TASK, isName),
    verdict: valueIn(run, VERDICT, (value) => isName(value) || typeof value === 'boolean'),
    model: valueIn(run, MODEL, isText),
    createdAt: valueIn(run, TIME, isName),
  });
}

function findLists(value: JsonValue, path: string, level: number): Found[] {
  if (level > MOST_LEVELS) return [];
  if (Array.isArray(value)) {
    const elements = value.slice(0, MOST_ELEMENTS);
    const own = toMessages(elements, `${path}[*]`);
    return [
      ...(own === undefined ? [] : [own]),
      ...elements.slice(0, 3).flatMap((each) => findLists(each, `${path}[*]`, level + 1)),
    ];
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, child]) => {
    const name = /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(key) ? `.${key}` : `["${key}"]`;
    return key.includes('"') ? [] : findLists(child, path + name, level + 1);
  });
}

/**
 * Whether the values look like messages: objects with a short repeated word and, in most of them, a
 * text.
 */
function toMessages(elements: readonly JsonValue[], path: string): Found | undefined {
  const messages = elements.filter(isJsonObject);
  if (messages.length < elements.length || messages.length < 2) return undefined;
  const role = ROLE.find((name) => {
    const words = messages.map((message) => message[name]);
    const isWord = words.every((word) => typeof word === 'string' && word.length <= 40);
    return isWord && new Set(words).size <= Math.max(3, messages.length / 2);
  });
  if (role === undefined) return undefined;
  const content = CONTENT.filter((name) => name !== role)
    .map((name) => ({ name, count: messages.filter((each) => isContent(each[name])).length }))
    .toSorted((a, b) => b.count - a.count)[0];
  if (content === undefined || content.count * 2 < messages.length) return undefined;
  const score = messages.length * (content.count / messages.length) - ROLE.indexOf(role) / 10;
  return { path, messages, role, content: content.name, score };
}

/** The values that contain the messages. */
function ownersOf(value: JsonValue, runs: string | undefined): JsonValue[] {
  const path = runs === undefined ? undefined : parsePath(runs);
  return path === undefined ? [value] : valuesAt(value, path);
}

/** Unusual role names, which the caller must check. */
function rolesOf(messages: readonly JsonObject[], role: string): Mapping['roles'] {
  const names = [...new Set(messages.map((message) => String(message[role])))];
  const isKnown =
    /^(?:assistant|ai|agent|bot|model|gpt|llm|tool|function|observation|environment|system|developer|user|human)$/i;
  const unusual = names.filter((name) => !isKnown.test(name));
  if (unusual.length === 0) return undefined;
  return Object.fromEntries(unusual.map((name) => [name, guessRole(name)]));
}

function guessRole(name: string): 'user' | 'assistant' | 'tool' | 'system' {
  if (/tool|function|result|observation|env|exec|terminal/i.test(name)) return 'tool';
  if (/user|human|customer|client|question/i.test(name)) return 'user';
  return /system|instruct/i.test(name) ? 'system' : 'assistant';
}

function callsOf(messages: readonly JsonObject[], role: string, content: string): Mapping['calls'] {
  for (const at of CALLS.filter((name) => name !== role && name !== content)) {
    const calls = messages.flatMap((message) => objectsIn(message[at]));
    const name = fieldIn(calls, CALL_NAME, isText);
    if (name === undefined) continue;
    return withoutUndefined({
      at,
      name,
      arguments: fieldIn(calls, CALL_ARGUMENTS, (value) => value !== null),
      id: fieldIn(calls, CALL_ID, isName),
    });
  }
  return undefined;
}

function resultsOf(
  messages: readonly JsonObject[],
  role: string,
  content: string,
): Mapping['results'] {
  for (const at of RESULTS.filter((name) => name !== role && name !== content)) {
    const held = messages.map((message) => message[at] ?? null);
    const results = held.flatMap(objectsIn);
    const inner = fieldIn(results, RESULT_CONTENT, isContent);
    const error = fieldIn(results, RESULT_ERROR, () => true);
    const id = fieldIn(results, CALL_ID, isName);
    if (inner !== undefined) return withoutUndefined({ at, content: inner, id, error });
    if (held.some(isText)) return { at, content: '$' };
  }
  const tools = messages.filter((message) => guessRole(String(message[role])) === 'tool');
  const id = fieldIn(tools, CALL_ID.slice(1), isName);
  const error = fieldIn(tools, RESULT_ERROR, () => true);
  return id === undefined && error === undefined ? undefined : withoutUndefined({ id, error });
}

function objectsIn(value: JsonValue | undefined): JsonObject[] {
  return isJsonObject(value) ? [value] : asObjects(value);
}

/** Returns the first of some names under which any object has a suitable value. */
function fieldIn(
  objects: readonly JsonObject[],
  names: readonly string[],
  fits: (value: JsonValue) => boolean,
): string | undefined {
  return names.find((name) =>
    objects.some((object) => {
      const value = at(object, name);
      return value !== undefined && fits(value);
    }),
  );
}

function valueIn(
  run: JsonObject,
  names: readonly string[],
  fits: (value: JsonValue) => boolean,
): string | undefined {
  const paths = HOLDERS.flatMap((holder) => names.map((name) => holder + name));
  return fieldIn([run], paths, fits);
}

function at(object: JsonObject, name: string): JsonValue | undefined {
  return valueAt(object, parsePath(name));
}

function isText(value: JsonValue): boolean {
  return typeof value === 'string' && value !== '';
}

function isName(value: JsonValue): boolean {
  return isText(value) || typeof value === 'number';
}

function isContent(value: JsonValue | undefined): boolean {
  return typeof value === 'string' || (Array.isArray(value) && value.some(isJsonObject));
}

function withoutUndefined<Value extends object>(value: Value): Value {
  const kept = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(kept) as Value;
}
