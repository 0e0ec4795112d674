import { asName, isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts';

/** Who says a message, by the names that LangChain gives its kinds. */
type LangChainRole = 'human' | 'ai' | 'system' | 'tool' | 'remove' | 'other';

/** A message in any of its written forms, brought into one. */
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
 * Reads a message as LangChain writes it: `{lc, id: […, "AIMessage"], kwargs}`, `{type: "ai",
 * data}`, or `{type: "ai", content, …}`.
 *
 * @returns undefined when it is in none of these forms.
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

/** `ai`, `AIMessage` and `AIMessageChunk` are all the agent's. */
function roleOf(name: string): LangChainRole | undefined {
  const kind = name.replace(/Message(?:Chunk)?$/, '').toLowerCase();
  return Object.hasOwn(ROLES, kind) ? ROLES[kind] : undefined;
}
