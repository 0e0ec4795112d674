import { type RecordedStep, toJson, toolCall } from '@kp/importers';

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Text as it is, an error as its name and message, other values as JSON; '' if there is no JSON. */
export function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  return errorText(value) ?? JSON.stringify(toJson(value)) ?? '';
}

/** A tool call whose name and arguments need not be JSON; arguments in a text are parsed. */
export function toolCallStep(
  name: unknown,
  callArguments: unknown,
  callId: unknown,
): Extract<RecordedStep, { kind: 'tool_call' }> {
  return toolCall(asText(name) || 'tool', toJson(callArguments), toJson(callId), 'call');
}

function errorText(value: unknown): string | undefined {
  try {
    if (!(value instanceof Error)) return undefined;
    const { name, message } = value;
    return typeof message === 'string' && message !== '' ? `${name}: ${message}` : String(name);
  } catch {
    // A hostile error is described by its fields.
    return undefined;
  }
}
