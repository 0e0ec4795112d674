import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts';
import { isNestedDeeper } from '../json/nesting.ts';
import type { RecordedStep } from '../recorded-run.ts';
import { RecordingError } from '../recording-error.ts';

/** Levels of arguments that still fit a trace, which is valid up to 64. */
const MOST_LEVELS = 48;

/**
 * A tool call. Arguments that are an object, or a text that is the JSON of one, become the input;
 * any others, and ones nested without end, stay visible as the step's content, as recorded.
 *
 * @throws {@link RecordingError} when the tool has no name.
 */
export function toolCall(
  name: JsonValue | undefined,
  callArguments: JsonValue | undefined,
  callId: JsonValue | undefined,
  path: string,
): Extract<RecordedStep, { kind: 'tool_call' }> {
  if (typeof name !== 'string' || name === '') {
    throw new RecordingError(path, 'the name of a tool', name);
  }
  return {
    kind: 'tool_call',
    name,
    ...(typeof callId === 'string' && callId !== '' ? { callId } : {}),
    ...readArguments(callArguments),
  };
}

function readArguments(
  recorded: JsonValue | undefined,
): { input: JsonObject } | { content: string } | Record<string, never> {
  if (recorded === undefined || recorded === null || recorded === '') return {};
  if (typeof recorded !== 'string') {
    return isInput(recorded) ? { input: recorded } : { content: JSON.stringify(recorded) };
  }
  const parsed = parseObject(recorded);
  return parsed === undefined ? { content: recorded } : { input: parsed };
}

function isInput(value: JsonValue): value is JsonObject {
  return isJsonObject(value) && !isNestedDeeper(value, MOST_LEVELS);
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: JsonValue = JSON.parse(text);
    return isInput(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
