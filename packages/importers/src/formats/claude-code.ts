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
/** What the program itself says in the user's name: commands typed at it, and their output. */
const LOCAL_COMMAND =
  /^\s*<(?:local-command|command-(?:name|message|args)|bash-(?:input|stdout|stderr))/;

/**
 * Session logs of Claude Code, an event a line. Of its own remarks (`isMeta`, summaries, local
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
  if (!isJsonObject(value) || typeof value.type !== 'string') return false;
  return typeof value.sessionId === 'string' || LOOSE_FIELDS.some((field) => field in value);
}

function groupBySession(events: readonly JsonObject[]): JsonObject[][] {
  const sessions = new Map<string, JsonObject[]>();
  for (const event of events) {
    if (typeof event.sessionId !== 'string') continue;
    const session = sessions.get(event.sessionId);
    if (session === undefined) sessions.set(event.sessionId, [event]);
    else session.push(event);
  }
  return [...sessions.values()];
}

function readSession(session: JsonValue, path: string): RecordedRun {
  const events = (session as JsonObject[]).filter(isUtterance);
  // The log of a subagent is nothing but a side conversation.
  const isSubagent = events.length > 0 && events.every(({ isSidechain }) => isSidechain === true);
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
  if (event.isSidechain === true && !isSubagent) return 'sidechain';
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
  const { sessionId, agentId } = events.find(isUtterance) ?? {};
  const time = events.find(({ timestamp }) => typeof timestamp === 'string')?.timestamp;
  return {
    // A session that begins with a command and nothing else has no other objective.
    ...(command === undefined ? {} : { objective: command }),
    ...run,
    source: {
      session_id: asName(sessionId),
      ...(isSubagent && typeof agentId === 'string' ? { agent_id: agentId } : {}),
    },
    sourceIsUnique: !isSubagent || typeof agentId === 'string',
    ...(typeof time === 'string' ? { createdAt: time } : {}),
    ...(model === undefined ? {} : { agentId: model }),
    framework: 'claude-code',
    record: events as JsonObject[],
  };
}
