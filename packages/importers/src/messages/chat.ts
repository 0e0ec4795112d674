import type { ErrorSign } from '@kp/schema';
import { RecordingError } from '../errors/errors.ts';
import type { RecordedStep } from '../importer/importer.ts';
import { asString, isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts';
import { type Omitted, readText } from './content.ts';
import {
  type Conversation,
  type ConversationRun,
  createConversation,
  toolCall,
  toolResult,
} from './conversation.ts';

/** The differences between formats of chat messages. */
export interface ChatDialect {
  /** Reads the tool calls of an assistant message. */
  readonly readCalls: (message: JsonObject, path: string) => RecordedStep[];
  /** Detects an error in a tool result. */
  readonly findError: (message: JsonObject, text: string) => ErrorSign | undefined;
  /** Reads the id of the call that a result answers. */
  readonly readCallId: (message: JsonObject) => string | undefined;
  /** Reads the thoughts of an assistant message; may return blank ones. Default: reasoning, then content. */
  readonly readThoughts?: (message: JsonObject, omitted: Omitted) => string[];
  /** Returns the kind under which a message of someone else is skipped; undefined to keep it. */
  readonly leaveOut?: (message: JsonObject) => string | undefined;
}

/**
 * Reads messages with the roles `system`, `user`, `assistant` and `tool`. Skips instructions (`system`,
 * `developer`); messages of any other role become observations.
 *
 * @throws {@link RecordingError} if a message is not an object with a role.
 */
export function readChat(
  messages: readonly JsonValue[],
  path: string,
  dialect: ChatDialect,
): ConversationRun {
  const conversation = createConversation();
  for (const [index, value] of messages.entries()) {
    const place = `${path}[${index}]`;
    const { message, role } = expectMessage(value, place);
    const leftOut = dialect.leaveOut?.(message);
    if (leftOut !== undefined) conversation.omit(leftOut);
    else if (role === 'assistant') readOwnSteps(message, place, dialect, conversation);
    else if (role === 'tool' || role === 'function') {
      conversation.addSteps(readResult(message, dialect, conversation.omitted));
    } else if (role !== 'system' && role !== 'developer') {
      conversation.addUserMessage(readText(message.content, conversation.omitted), role);
    }
  }
  return conversation.finish();
}

/** @throws {@link RecordingError} if `value` is not an object with a role. */
export function expectMessage(
  value: JsonValue,
  path: string,
): { message: JsonObject; role: string } {
  if (!isJsonObject(value)) throw new RecordingError(path, 'a message', value);
  if (typeof value.role !== 'string') {
    throw new RecordingError(`${path}.role`, 'a text', value.role);
  }
  return { message: value, role: value.role };
}

function readOwnSteps(
  message: JsonObject,
  path: string,
  dialect: ChatDialect,
  conversation: Conversation,
): void {
  const thoughts = (dialect.readThoughts ?? readThoughts)(message, conversation.omitted);
  const calls = dialect.readCalls(message, path);
  if (calls.length === 0 && thoughts.every((thought) => thought.trim() === '')) {
    conversation.omit('empty_message');
  }
  const reasoning = message.reasoning_content ?? message.reasoning;
  for (const thought of thoughts) conversation.addThought(thought, thought === reasoning);
  for (const call of calls) conversation.addSteps(call);
}

function readThoughts(message: JsonObject, omitted: Omitted): string[] {
  const reasoning = message.reasoning_content ?? message.reasoning;
  const content = readText(message.content, omitted);
  const said = content === '' ? readText(message.refusal, omitted) : content;
  return [typeof reasoning === 'string' ? reasoning : '', said];
}

function readResult(message: JsonObject, dialect: ChatDialect, omitted: Omitted): RecordedStep {
  const content = readText(message.content, omitted);
  return toolResult(content, dialect.readCallId(message), dialect.findError(message, content));
}

/** OpenAI's notation of calls and results, which other formats share. */
export const OPENAI_DIALECT: ChatDialect = {
  readCalls(message, path) {
    const calls = Array.isArray(message.tool_calls) ? message.tool_calls : [];
    const steps = calls.map((call, index) => readCall(call, `${path}.tool_calls[${index}]`));
    const { function_call } = message;
    if (isJsonObject(function_call)) {
      steps.push(toolCall(function_call.name, function_call.arguments, undefined, path));
    }
    return steps;
  },
  findError: (_message, text) => (text.startsWith('Error:') ? 'text' : undefined),
  readCallId: ({ tool_call_id }) => asString(tool_call_id),
};

function readCall(call: JsonValue, path: string): RecordedStep {
  if (!isJsonObject(call)) throw new RecordingError(path, 'a tool call', call);
  // Tools of type `custom` take text instead of arguments.
  const details = isJsonObject(call.custom) ? call.custom : call.function;
  if (!isJsonObject(details)) throw new RecordingError(`${path}.function`, 'an object', details);
  const callArguments = details.arguments ?? details.input;
  return toolCall(details.name, callArguments, call.id, `${path}.function.name`);
}
