import type { Importer } from '../importer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts';
import type { RecordedRun, RecordedStep } from '../recorded-run.ts';
import { RecordingError } from '../recording-error.ts';
import { type ChatDialect, readChat } from './chat-run.ts';
import { asMessages, findMarks, isMessage, MESSAGE_GROUP } from './message-marks.ts';
import { sourceIds } from './source-ids.ts';
import { toolCall } from './tool-call.ts';

const ID_FIELDS = [
  'task_id',
  'trial',
  'instance_id',
  'run_id',
  'session_id',
  'conversation_id',
  'thread_id',
  'id',
];

/**
 * OpenAI chat messages: `{messages: […]}` (also under `request`, and with the answer under
 * `response` or `choices`), tau-bench results `{task_id, trial, reward, traj: […]}`, and messages
 * by themselves, in an array or one a line.
 */
export const openaiChatImporter: Importer = {
  name: 'openai-chat',
  title: 'OpenAI chat messages, tau-bench results',
  detect(value) {
    const found = findMessages(value);
    const messages = asMessages(found?.messages);
    if (found === undefined || messages === undefined) return undefined;
    const marks = findMarks(messages);
    const own = marks.get('openai');
    if (own === undefined && marks.size > 0) return undefined;
    return { seen: `${found.path}[] with ${own ?? 'plain text'}`, fit: 'distinct' };
  },
  pieceOf: (value) => (isMessage(value) ? MESSAGE_GROUP : undefined),
  *read(value) {
    const found = findMessages(value);
    if (found === undefined) throw new RecordingError('recording', 'an array of messages', value);
    yield readRun(value, found.messages, found.path);
  },
};

/** How OpenAI writes calls and results, which other formats take over. */
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
  readCallId: ({ tool_call_id }) =>
    typeof tool_call_id === 'string' && tool_call_id !== '' ? tool_call_id : undefined,
};

function readCall(call: JsonValue, path: string): RecordedStep {
  if (!isJsonObject(call)) throw new RecordingError(path, 'a tool call', call);
  // Tools of the kind `custom` take a text in place of arguments.
  const details = isJsonObject(call.custom) ? call.custom : call.function;
  if (!isJsonObject(details)) throw new RecordingError(`${path}.function`, 'an object', details);
  return toolCall(
    details.name,
    details.arguments ?? details.input,
    call.id,
    `${path}.function.name`,
  );
}

function findMessages(
  value: JsonValue,
): { messages: readonly JsonValue[]; path: string } | undefined {
  if (Array.isArray(value)) return { messages: value, path: 'messages' };
  if (!isJsonObject(value)) return undefined;
  if (Array.isArray(value.traj)) return { messages: value.traj, path: 'traj' };
  const request = isJsonObject(value.request) ? value.request : value;
  if (!Array.isArray(request.messages)) return undefined;
  const answer = readAnswer(isJsonObject(value.response) ? value.response : value);
  const messages = answer === undefined ? request.messages : [...request.messages, answer];
  return { messages, path: request === value ? 'messages' : 'request.messages' };
}

function readAnswer(response: JsonObject): JsonObject | undefined {
  const choice = Array.isArray(response.choices) ? response.choices[0] : undefined;
  return isJsonObject(choice) && isJsonObject(choice.message) ? choice.message : undefined;
}

function readRun(value: JsonValue, messages: readonly JsonValue[], path: string): RecordedRun {
  const record = isJsonObject(value) ? value : {};
  const { reward, model, created_at } = record;
  return {
    ...readChat(messages, path, OPENAI_DIALECT),
    source: sourceIds(record, ID_FIELDS),
    ...(typeof reward === 'number' ? { success: reward === 1 } : {}),
    ...(typeof created_at === 'string' ? { createdAt: created_at } : {}),
    ...(typeof model === 'string' ? { agentId: model } : {}),
    record: value,
  };
}
