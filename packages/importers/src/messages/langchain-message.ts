import { asName, isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts';
import type { ModelMessage } from './model-message.ts';
import { readMessages } from './read-messages.ts';

/** The role of a message, derived from LangChain's message types. */
type LangChainRole = 'human' | 'ai' | 'system' | 'tool' | 'remove' | 'other';

/** A message, normalised from any of its serialised forms. */
export interface LangChainMessage {
  readonly role: LangChainRole;
  readonly fields: JsonObject;
}

const ROLES: Readonly<Record<string, LangChainRole>> = {
  human: 'human',
  ai: 'ai',
  system: 'system',
  developer: 'system',
  tool: 'tool',
  function: 'tool',
  remove: 'remove',
  chat: 'other',
  generic: 'other',
};

/**
 * Reads a serialised LangChain message: `{lc, id: […, "AIMessage"], kwargs}`, `{type: "ai", data}`, or
 * `{type: "ai", content, …}`.
 *
 * @returns undefined for any other value.
 */
export function asLangChainMessage(value: JsonValue): LangChainMessage | undefined {
  if (!isJsonObject(value) || 'sessionId' in value || 'session_id' in value) return undefined;
  const { id, kwargs, type, data } = value;
  if (Array.isArray(id) && isJsonObject(kwargs)) {
    const name = asName(id.at(-1));
    const role =
      name.endsWith('Message') || name.endsWith('MessageChunk') ? roleOf(name) : undefined;
    return role === undefined ? undefined : { role, fields: kwargs };
  }
  const role = typeof type === 'string' && !('role' in value) ? roleOf(type) : undefined;
  if (role === undefined) return undefined;
  if (isJsonObject(data) && 'content' in data) return { role, fields: data };
  return 'content' in value ? { role, fields: value } : undefined;
}

/** Maps message types to roles: `ai`, `AIMessage` and `AIMessageChunk` are the agent's. */
function roleOf(name: string): LangChainRole | undefined {
  const kind = name.replace(/Message(?:Chunk)?$/, '').toLowerCase();
  return Object.hasOwn(ROLES, kind) ? ROLES[kind] : undefined;
}

const NAMES: Readonly<Record<string, string>> = { ai: 'assistant', human: 'user' };

/** Reads a message in LangChain's notation, or one or several in a provider's. */
export function readLangChainMessages(value: JsonValue): ModelMessage[] {
  const message = asLangChainMessage(value);
  if (message === undefined) return readMessages(value);
  const { content, tool_calls, tool_call_id } = message.fields;
  const role = NAMES[message.role] ?? message.role;
  // The provider's blocks repeat the calls.
  const said = Array.isArray(content)
    ? content.filter((block) => !isJsonObject(block) || block.type !== 'tool_use')
    : (content ?? null);
  return readMessages({
    role,
    content: said,
    tool_calls: tool_calls ?? null,
    tool_call_id: tool_call_id ?? null,
  });
}
