import { RecordingError } from '../../errors/errors.ts';
import { type DefinedImporter, defineImporter } from '../../importer/define-importer.ts';
import type { RecordedRun } from '../../importer/importer.ts';
import {
  asName,
  asObjects,
  asString,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../json/json-value.ts';
import { asText, readText } from '../../messages/content.ts';
import {
  type Conversation,
  createConversation,
  toolCall,
  toolResult,
} from '../../messages/conversation.ts';
import { sourceIds } from '../../messages/message-source.ts';
import { createRunUsage } from '../../messages/run-usage.ts';

const GROUP = 'pydantic-ai';
const IDS = ['run_id', 'conversation_id', 'session_id', 'id'];
/** Fields that applications give to a history beside other data. */
const HISTORIES = ['messages', 'all_messages', 'message_history', 'new_messages'];

/**
 * Message histories of Pydantic AI: `[{kind: 'request' | 'response', parts}]`, bare or in an object. One run
 * per history; a call of the output tool (`final_result`) is a tool call.
 */
export const pydanticAiImporter: DefinedImporter = /* @__PURE__ */ defineImporter({
  name: 'pydantic-ai',
  title: 'Pydantic AI message histories',
  docs: {
    file: 'an array of messages, `{messages}`, or one message per line',
    where: '`result.all_messages_json()`, `ModelMessagesTypeAdapter.dump_json()`',
    thought: 'parts `text` and `thinking`',
    toolCall: 'parts `tool-call` and `builtin-tool-call`',
    error: 'a part `retry-prompt`; `outcome: "failed"`',
    success: 'not recorded',
  },
  samples: () => import('./samples.ts').then(({ samples }) => samples),
  detect(value) {
    const messages = historyOf(value);
    const isOwn = messages.length > 0 && messages.every(isMessage);
    return isOwn ? { seen: 'kind and part_kind', fit: 'distinct' } : undefined;
  },
  pieceOf: (value) => (isMessage(value) ? GROUP : undefined),
  *read(value) {
    const messages = asObjects(historyOf(value));
    if (messages.length === 0) {
      throw new RecordingError('recording', 'messages of Pydantic AI', value);
    }
    yield readHistory(messages, isJsonObject(value) ? value : {}, value);
  },
});

function historyOf(value: JsonValue): JsonValue[] {
  if (Array.isArray(value)) return value;
  if (!isJsonObject(value)) return [];
  if (isMessage(value)) return [value];
  const held = HISTORIES.map((field) => value[field]).find(Array.isArray);
  return held ?? [];
}

function isMessage(value: JsonValue): boolean {
  if (!isJsonObject(value) || (value.kind !== 'request' && value.kind !== 'response')) return false;
  const { parts } = value;
  if (!Array.isArray(parts)) return false;
  return parts.every((part) => isJsonObject(part) && typeof part.part_kind === 'string');
}

function readHistory(
  messages: readonly JsonObject[],
  envelope: JsonObject,
  record: JsonValue,
): RecordedRun {
  const conversation = createConversation();
  const usage = createRunUsage();
  for (const [index, message] of messages.entries()) {
    for (const part of asObjects(message.parts)) {
      usage.addTime(part.timestamp);
      readPart(part, `messages[${index}].parts[]`, conversation);
    }
    usage.addTime(message.timestamp);
    usage.addCall(namedAsUsual(message.usage));
  }
  const last = messages.at(-1);
  const run = messages.find(({ run_id }) => typeof run_id === 'string') ?? {};
  return {
    ...conversation.finish(),
    source: sourceIds({ ...run, ...envelope }, IDS),
    createdAt: usage.startedAt(),
    model: asString(messages.find((each) => typeof each.model_name === 'string')?.model_name),
    ending: last?.finish_reason === 'length' ? 'limit' : undefined,
    details: usage.read(),
    framework: 'pydantic-ai',
    record,
  };
}

/** Versions before 1.0 count `request_tokens` and `response_tokens`. */
function namedAsUsual(usage: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonObject(usage) || usage.request_tokens === undefined) return usage;
  return {
    prompt_tokens: usage.request_tokens,
    completion_tokens: usage.response_tokens ?? null,
  };
}

function readPart(part: JsonObject, path: string, conversation: Conversation): void {
  const { content, tool_name, tool_call_id, args } = part;
  const kind = asName(part.part_kind);
  if (kind === 'user-prompt') {
    conversation.addUserMessage(readText(content, conversation.omitted));
  } else if (kind === 'text' || kind === 'thinking') {
    conversation.addThought(asText(content), kind === 'thinking');
  } else if (kind === 'tool-call' || kind === 'builtin-tool-call') {
    conversation.addSteps(toolCall(tool_name, args, tool_call_id, `${path}.tool_name`));
  } else if (kind === 'tool-return' || kind === 'builtin-tool-return') {
    const sign = part.outcome === 'failed' ? 'flag' : undefined;
    conversation.addSteps(toolResult(asText(content), tool_call_id, sign));
  } else if (kind === 'retry-prompt') {
    // Failed validation is a list of errors; anything else is a text.
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    if (tool_name) conversation.addSteps(toolResult(text, tool_call_id, 'flag'));
    else conversation.addUserMessage(text, 'retry');
  } else if (kind !== 'system-prompt' && kind !== 'instruction') {
    conversation.omit(kind);
  }
}
