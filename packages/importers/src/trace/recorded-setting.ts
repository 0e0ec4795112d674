import { isPresent } from '@kp/foundation';
import { asString, isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts';

/** What a recording says besides the run: its system prompts and its tools. */
export interface RecordedSetting {
  /** Values of the fields that hold a system prompt, such as `system`. */
  readonly promptFields: readonly JsonValue[];
  /** Contents of the system messages before the first user message. */
  readonly systemMessages: readonly JsonValue[];
  /** The tools that the model could call, in the format of its provider. */
  readonly tools: readonly JsonObject[];
}

/** Fields with the messages of a run or its system prompt. */
const MESSAGES = ['messages', 'traj', 'history', 'conversation', 'conversations', 'input'];
const SYSTEM_PROMPTS = ['system', 'system_prompt', 'instructions', 'systemInstruction'];
/** Number of messages searched for a system prompt, which precedes the first user message. */
const MESSAGES_READ = 4;

/**
 * Finds the system prompts and the tools of a recorded run, which are not steps of its trace.
 *
 * @param record - the run's part of the recording, in any format.
 */
export function recordedSetting(record: JsonValue): RecordedSetting {
  const places = isJsonObject(record)
    ? [record, record.request, record.info].filter(isJsonObject)
    : [];
  const messages = firstList([record, ...places.flatMap((place) => valuesOf(place, MESSAGES))]);
  const tools = firstList(places.map((place) => place.tools));
  return {
    promptFields: places.flatMap((place) => valuesOf(place, SYSTEM_PROMPTS)),
    systemMessages: messages
      .slice(0, MESSAGES_READ)
      .filter(isJsonObject)
      .filter(isSystemMessage)
      .map(({ content, value, parts }) => content ?? value ?? parts)
      .filter(isPresent),
    tools: tools.filter(isJsonObject),
  };
}

function valuesOf(object: JsonObject, names: readonly string[]): JsonValue[] {
  return names.map((name) => object[name]).filter(isPresent);
}

function firstList(values: readonly (JsonValue | undefined)[]): readonly JsonValue[] {
  const isList = (value: JsonValue | undefined): value is JsonValue[] =>
    Array.isArray(value) && value.length > 0;
  return values.find(isList) ?? [];
}

function isSystemMessage({ role, from, type }: JsonObject): boolean {
  return /^(?:system|developer)$/.test(asString(role ?? from ?? type) ?? '');
}
