import type { Importer } from '../importer.ts';
import { isJsonObject, type JsonValue } from '../json/json-value.ts';
import type { RecordedStep } from '../recorded-run.ts';
import { RecordingError } from '../recording-error.ts';
import { type ChatDialect, readChat } from './chat-run.ts';
import { asMessages, findMarks, isMessage, MESSAGE_GROUP } from './message-marks.ts';
import { findMessages, readEnvelope } from './message-source.ts';
import { toolCall } from './tool-call.ts';

/**
 * OpenAI chat messages: `{messages: […]}` (also under `request`, and with the answer under
 * `response` or `choices`), tau-bench results `{task_id, trial, reward, traj: […]}`, and messages
 * by themselves, in an array or one a line. Messages with nothing but text, which all chat formats
 * write alike, are read as these.
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
    if (own !== undefined) {
      return marks.has('mini-swe-agent') ? undefined : { seen: own, fit: 'distinct' };
    }
    if (marks.size > 0) return undefined;
    return { seen: `${found.path}[] with a role and text`, fit: 'possible' };
  },
  pieceOf: (value) => (isMessage(value) ? MESSAGE_GROUP : undefined),
  *read(value) {
    const found = findMessages(value);
    if (found === undefined) throw new RecordingError('recording', 'an array of messages', value);
    yield { ...readEnvelope(value), ...readChat(found.messages, found.path, OPENAI_DIALECT) };
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
  const callArguments = details.arguments ?? details.input;
  return toolCall(details.name, callArguments, call.id, `${path}.function.name`);
}
