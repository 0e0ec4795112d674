import { describeJson, type RecordedStep, toJson, toolCall } from '@kp/importers';

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text as it is, an error by its message, nothing for what JSON has no form for, else its JSON. */
export function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  return errorText(value) ?? JSON.stringify(toJson(value)) ?? '';
}

/** A call of a tool, of values that need not be JSON; arguments in a text are parsed. */
export function toolCallStep(name: unknown, callArguments: unknown, callId: unknown): RecordedStep {
  return toolCall(asText(name) || 'tool', toJson(callArguments), toJson(callId), 'call');
}

/** What was thrown in a few words: anything can be, and an error can refuse to say what it is. */
export function messageOf(thrown: unknown): string {
  return errorText(thrown) ?? describeObject(thrown);
}

/** A value in a few words, for errors: what it is, and the fields that tell which. */
export function describeObject(value: unknown): string {
  return typeof value === 'function' ? 'a function' : describeJson(toJson(value));
}

function errorText(value: unknown): string | undefined {
  try {
    return value instanceof Error ? `${value.name}: ${value.message}` : undefined;
  } catch {
    // It is described by its fields then.
    return undefined;
  }
}
