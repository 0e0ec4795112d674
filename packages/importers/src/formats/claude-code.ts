import type { Importer } from '../importer.ts';
import { asName, isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts';
import type { RecordedRun } from '../recorded-run.ts';
import { RecordingError } from '../recording-error.ts';
import { readAnthropicMessage } from './anthropic-message.ts';
import { createOmitted, readText } from './content.ts';
import { createConversation } from './conversation.ts';
import { readEach } from './read-each.ts';

const GROUP = 'claude-code';
/** What marks lines of the log that stand outside of any session: titles, snapshots of files. */
const LOOSE_FIELDS = ['leafUuid', 'snapshot'];
const PRINTED_TYPES = new Set(['system', 'user', 'assistant', 'result', 'stream_event']);
/** What the program itself says in the user's name: commands typed at it, and their output. */
const LOCAL_COMMAND =
  /^\s*<(?:local-command|command-(?:name|message|args)|bash-(?:input|stdout|stderr))/;

/**
 * Session logs of Claude Code, an event a line, and what it prints without a terminal
 * (`stream-json`). Of its own remarks (`isMeta`, summaries, local
 * commands, API errors) nothing is read, nor of side conversations: those are runs of their own.
 */
export const claudeCodeImporter: Importer = {
  name: 'claude-code',
  title: 'Claude Code session logs',
  detect(value) {
    if (!Array.isArray(value) || value.length === 0 || !value.every(isEvent)) return undefined;
    return { seen: 'events with sessionId', fit: 'distinct' };
  },
  pieceOf: (value) => (isEvent(value) ? GROUP : undefined),
  *read(value) {
    if (!Array.isArray(value)) throw new RecordingError('recording', 'an array of events', value);
    yield* readEach(groupBySession(value.filter(isJsonObject)), 'sessions', readSession);
  },
};

function isEvent(value: JsonValue): boolean {
  if (!isJsonObject(value) || typeof value.type !== 'string' || 'role' in value) return false;
  return sessionOf(value) !== undefined || LOOSE_FIELDS.some((field) => field in value);
}

/** The log spells it in camel case, the output of a run without a terminal in snake case. */
function sessionOf({ sessionId, session_id, type }: JsonObject): string | undefined {
  if (typeof sessionId === 'string') return sessionId;
  const isPrinted = typeof type === 'string' && PRINTED_TYPES.has(type);
  return isPrinted && typeof session_id === 'string' ? session_id : undefined;
}

function groupBySession(events: readonly JsonObject[]): JsonObject[][] {
  const sessions = new Map<string, JsonObject[]>();
  for (const event of events) {
    const id = sessionOf(event);
    if (id === undefined) continue;
    const session = sessions.get(id);
    if (session === undefined) sessions.set(id, [event]);
    else session.push(event);
  }
  return [...sessions.values()];
}

function readSession(session: JsonValue, path: string): RecordedRun {
  const events = (session as JsonObject[]).filter(isUtterance);
  // The log of a subagent is nothing but a side conversation.
  const isSubagent = events.length > 0 && events.every(isAside);
  const conversation = createConversation();
  const seen = new Set<string>();
  let command: string | undefined;
  let model: string | undefined;
  for (const [index, event] of events.entries()) {
    const { uuid, message } = event;
    if (typeof uuid === 'string' && seen.has(uuid)) {
      conversation.omit('repeated_event');
      continue;
    }
    if (typeof uuid === 'string') seen.add(uuid);
    const place = `${path}.events[${index}].message`;
    if (!isJsonObject(message)) throw new RecordingError(place, 'a message', message);
    const remark = remarkKind(event, message, isSubagent);
    if (remark === 'local_command') command ??= readText(message.content, createOmitted());
    if (remark !== undefined) {
      conversation.omit(remark);
      continue;
    }
    if (event.type === 'assistant' && typeof message.model === 'string') model ??= message.model;
    readAnthropicMessage(asName(event.type), message.content, `${place}.content`, conversation);
  }
  return describeSession(
    session as JsonObject[],
    isSubagent,
    command,
    model,
    conversation.finish(),
  );
}

function isAside({ isSidechain, parent_tool_use_id }: JsonObject): boolean {
  return isSidechain === true || typeof parent_tool_use_id === 'string';
}

function isUtterance({ type }: JsonObject): boolean {
  return type === 'user' || type === 'assistant';
}

/** What kind of remark of the program an event is; undefined for the run's own messages. */
function remarkKind(
  event: JsonObject,
  message: JsonObject,
  isSubagent: boolean,
): string | undefined {
  if (event.isMeta === true) return 'meta';
  if (isAside(event) && !isSubagent) return 'sidechain';
  if (event.isApiErrorMessage === true) return 'api_error';
  if (event.isCompactSummary === true) return 'compact_summary';
  if (event.type !== 'user') return undefined;
  return LOCAL_COMMAND.test(readText(message.content, createOmitted()))
    ? 'local_command'
    : undefined;
}

function describeSession(
  events: readonly JsonObject[],
  isSubagent: boolean,
  command: string | undefined,
  model: string | undefined,
  run: Pick<RecordedRun, 'objective' | 'steps' | 'omitted'>,
): RecordedRun {
  const first = events.find(isUtterance) ?? {};
  const { agentId } = first;
  const result = events.find(({ type }) => type === 'result')?.result;
  const time = events.find(({ timestamp }) => typeof timestamp === 'string')?.timestamp;
  return {
    // A session that begins with a command and nothing else has no other objective.
    ...(command === undefined ? {} : { objective: command }),
    ...run,
    source: {
      session_id: sessionOf(first) ?? '',
      ...(isSubagent && typeof agentId === 'string' ? { agent_id: agentId } : {}),
    },
    sourceIsUnique: !isSubagent || typeof agentId === 'string',
    ...(typeof time === 'string' ? { createdAt: time } : {}),
    ...(model === undefined ? {} : { agentId: model }),
    ...(typeof result === 'string' && result !== '' ? { resultSummary: result } : {}),
    framework: 'claude-code',
    record: events as JsonObject[],
  };
}
