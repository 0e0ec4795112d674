import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts';
import type { RecordedRun } from '../recorded-run.ts';
import { sourceIds } from './source-ids.ts';

/** The messages of a recording and where in it they are. */
export interface MessageSource {
  readonly messages: readonly JsonValue[];
  readonly path: string;
}

const ID_FIELDS = [
  'task_id',
  'trial',
  'instance_id',
  'run_id',
  'session_id',
  'conversation_id',
  'thread_id',
  'chat_id',
  'id',
];

/**
 * Finds the messages in what tools log: `{messages: […]}`, tau-bench's `{traj: […]}`, a request
 * with its response, or the array by itself. A response is put behind the messages.
 */
export function findMessages(value: JsonValue): MessageSource | undefined {
  if (Array.isArray(value)) return { messages: value, path: 'messages' };
  if (!isJsonObject(value)) return undefined;
  if (Array.isArray(value.traj)) return { messages: value.traj, path: 'traj' };
  const request = isJsonObject(value.request) ? value.request : value;
  if (!Array.isArray(request.messages)) return undefined;
  const answer = readAnswer(isJsonObject(value.response) ? value.response : value);
  const messages = answer === undefined ? request.messages : [...request.messages, answer];
  return { messages, path: request === value ? 'messages' : 'request.messages' };
}

/** What the object around the messages says of the run. */
export function readEnvelope(
  value: JsonValue,
): Pick<RecordedRun, 'source' | 'success' | 'createdAt' | 'agentId' | 'record'> {
  const envelope = isJsonObject(value) ? value : {};
  const { reward, model, created_at } = envelope;
  return {
    source: sourceIds(envelope, ID_FIELDS),
    ...(typeof reward === 'number' ? { success: reward === 1 } : {}),
    ...(typeof created_at === 'string' ? { createdAt: created_at } : {}),
    ...(typeof model === 'string' ? { agentId: model } : {}),
    record: value,
  };
}

function readAnswer(response: JsonObject): JsonObject | undefined {
  // An answer of Anthropic's is itself a message.
  if (response.role === 'assistant') return response;
  const choice = Array.isArray(response.choices) ? response.choices[0] : undefined;
  return isJsonObject(choice) && isJsonObject(choice.message) ? choice.message : undefined;
}
