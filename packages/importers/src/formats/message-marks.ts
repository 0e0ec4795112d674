import { asObjects, isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts';

/** Families of chat messages that can be told apart by what is in them. */
export type MessageFamily =
  | 'openai'
  | 'anthropic'
  | 'ai-sdk'
  | 'tau2'
  | 'mini-swe-agent'
  | 'inspect';

/** The group of messages that stand by themselves, one a line or as the elements of an array. */
export const MESSAGE_GROUP = 'messages';

const MESSAGE_FIELDS = ['content', 'parts', 'tool_calls', 'function_call', 'reasoning_content'];

const ANTHROPIC_BLOCKS = new Set([
  'tool_use',
  'tool_result',
  'thinking',
  'redacted_thinking',
  'server_tool_use',
  'mcp_tool_use',
]);

const AI_SDK_PARTS = new Set(['tool-call', 'tool-result', 'tool-approval-request']);

/** Whether a value is one message, so that only its neighbours make a run of it. */
export function isMessage(value: JsonValue): boolean {
  return (
    isJsonObject(value) &&
    typeof value.role === 'string' &&
    MESSAGE_FIELDS.some((field) => Object.hasOwn(value, field)) &&
    !Array.isArray(value.messages)
  );
}

/** The messages of an array; undefined when something else is in it or it is empty. */
export function asMessages(
  value: JsonValue | readonly JsonValue[] | undefined,
): JsonObject[] | undefined {
  return Array.isArray(value) && value.length > 0 && value.every(isMessage)
    ? (value as JsonObject[])
    : undefined;
}

/** Which families left their marks in the messages, and which marks. Plain text leaves none. */
export function findMarks(messages: readonly JsonObject[]): ReadonlyMap<MessageFamily, string> {
  const marks = new Map<MessageFamily, string>();
  for (const message of messages) {
    for (const call of asObjects(message.tool_calls)) {
      if (isJsonObject(call.function)) marks.set('openai', 'tool_calls[].function.name');
      if (isJsonObject(call.custom)) marks.set('openai', 'tool_calls[].custom');
      if (typeof call.function === 'string') marks.set('inspect', 'tool_calls[].function as text');
      if (typeof call.name === 'string') marks.set('tau2', 'tool_calls[].name');
    }
    if (isJsonObject(message.function_call)) marks.set('openai', 'function_call');
    const { extra } = message;
    if (isJsonObject(extra) && ('actions' in extra || 'returncode' in extra)) {
      marks.set('mini-swe-agent', 'messages[].extra');
    }
    if (Array.isArray(message.parts)) marks.set('ai-sdk', 'parts[]');
    for (const { type } of asObjects(message.content)) {
      if (typeof type === 'string' && AI_SDK_PARTS.has(type)) marks.set('ai-sdk', `${type} parts`);
      if (typeof type === 'string' && ANTHROPIC_BLOCKS.has(type)) {
        marks.set('anthropic', `${type} blocks`);
      }
    }
  }
  return marks;
}
