import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts';
import type { ErrorSign, RecordedStep } from '../recorded-run.ts';
import { RecordingError } from '../recording-error.ts';
import { type Omitted, readText } from './content.ts';
import { type Conversation, type ConversationRun, createConversation } from './conversation.ts';

/** Where one format of chat messages differs from another. */
export interface ChatDialect {
  /** The calls of an assistant's message. */
  readonly readCalls: (message: JsonObject, path: string) => RecordedStep[];
  /** Whether the result of a tool reports an error. */
  readonly findError: (message: JsonObject, text: string) => ErrorSign | undefined;
  /** Which call a result answers. */
  readonly readCallId: (message: JsonObject) => string | undefined;
  /** The thoughts of an assistant's message, blank ones allowed. Left out: reasoning, content. */
  readonly readThoughts?: (message: JsonObject, omitted: Omitted) => string[];
  /** Kind under which a message that is not the agent's is left out; undefined to keep it. */
  readonly leaveOut?: (message: JsonObject) => string | undefined;
}

/**
 * Reads messages with the roles `system`, `user`, `assistant` and `tool`. Instructions (`system`,
 * `developer`) are no part of the run; what any other role says is an observation.
 *
 * @throws {@link RecordingError} when a message is not an object with a role.
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
      conversation.push(readResult(message, dialect, conversation.omitted));
    } else if (role !== 'system' && role !== 'developer') {
      conversation.hear(role, readText(message.content, conversation.omitted));
    }
  }
  return conversation.finish();
}

/** @throws {@link RecordingError} when `value` is not an object with a role. */
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
  for (const thought of thoughts) conversation.think(thought);
  conversation.push(...calls);
}

function readThoughts(message: JsonObject, omitted: Omitted): string[] {
  const reasoning = message.reasoning_content ?? message.reasoning;
  const content = readText(message.content, omitted);
  const said = content === '' ? readText(message.refusal, omitted) : content;
  return [typeof reasoning === 'string' ? reasoning : '', said];
}

function readResult(message: JsonObject, dialect: ChatDialect, omitted: Omitted): RecordedStep {
  const content = readText(message.content, omitted);
  const callId = dialect.readCallId(message);
  const error = dialect.findError(message, content);
  return {
    kind: 'observation',
    content,
    ...(callId === undefined ? {} : { callId }),
    ...(error === undefined ? {} : { error }),
  };
}
