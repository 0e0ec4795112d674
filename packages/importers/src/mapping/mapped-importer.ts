import { RecordingError } from '../errors/errors.ts';
import type { Importer, RecordedRun } from '../importer/importer.ts';
import {
  asName,
  asString,
  isJsonObject,
  isRoundedInteger,
  type JsonValue,
} from '../json/json-value.ts';
import { asText, readText } from '../messages/content.ts';
import {
  type Conversation,
  createConversation,
  toolCall,
  toolResult,
} from '../messages/conversation.ts';
import { sourceIds } from '../messages/message-source.ts';
import { createRunUsage } from '../messages/run-usage.ts';
import { type JsonPath, listAt, valueAt } from './json-path.ts';
import { type MappedRole, type Mapping, type ParsedMapping, parseMapping } from './mapping.ts';

/** Common names of roles. A mapping's `roles` override them. */
const ROLES: Readonly<Record<MappedRole, RegExp>> = {
  assistant: /^(?:assistant|ai|agent|bot|model|gpt|llm)$/i,
  tool: /^(?:tool|function|observation|environment|ipython|tool_?(?:result|response|output))$/i,
  system: /^(?:system|developer|instructions?)$/i,
  user: /^(?:user|human|customer|client)$/i,
};

/** Maximum length of a speaker's name. */
const LONGEST_ROLE = 40;
/** The role of words whose speaker is not recorded. */
const NO_SPEAKER = 'unknown';

/**
 * Creates an importer for a format that a mapping describes. Name it as `format`, so that no built-in format
 * claims the same values.
 *
 * @param mapping - see {@link Mapping}; checked here, since it usually comes from a file.
 * @throws {@link MappingError} if the mapping is invalid.
 */
export function createMappedImporter(mapping: Mapping): Importer {
  const parsed = parseMapping(mapping);
  const { name, paths } = parsed;
  const areRunsValues = paths.runs === undefined || paths.runs.segments.length === 0;
  const takesPieces = areRunsValues && paths.messages?.segments[0] === '*';
  return {
    name,
    title: 'a format described by a mapping',
    detect(value) {
      const count = runsOf(value, parsed).flatMap((run) => messagesOf(run, parsed)).length;
      return count === 0
        ? undefined
        : { seen: `${count} messages of the mapping`, fit: 'distinct' };
    },
    pieceOf: (value) => (takesPieces && isJsonObject(value) ? name : undefined),
    *read(value) {
      const runs = runsOf(value, parsed);
      if (runs.length === 0) {
        throw new RecordingError(paths.runs?.text ?? '$', 'runs, by the mapping', value);
      }
      for (const run of runs) {
        try {
          yield readRun(run, parsed);
        } catch (error) {
          if (!(error instanceof RecordingError)) throw error;
          yield error;
        }
      }
    },
  };
}

/** The elements of a file's array are read one by one, so `$[*]` means the same as `$`. */
function runsOf(value: JsonValue, mapping: ParsedMapping): JsonValue[] {
  const { runs } = mapping.paths;
  if (runs === undefined) return [value];
  const { segments } = runs;
  if (segments[0] !== '*' || Array.isArray(value)) return listAt(value, runs);
  const found = listAt(value, { ...runs, segments: segments.slice(1) });
  // The runs may also be the values of one object, under their names.
  return found.some((run) => messagesOf(run, mapping).length > 0) ? found : listAt(value, runs);
}

/** The messages whose speaker is recorded, by which the format is detected. */
function messagesOf(run: JsonValue, { paths }: ParsedMapping): JsonValue[] {
  const { messages, role } = paths;
  if (messages === undefined) return [];
  return listAt(run, messages).filter((message) =>
    role === undefined ? isJsonObject(message) : speakerOf(message, role) !== undefined,
  );
}

/** The name of the speaker, or its number. */
function speakerOf(message: JsonValue, role: JsonPath): string | undefined {
  const speaker = valueAt(message, role);
  if (typeof speaker === 'number') return String(speaker);
  const isSpeaker = typeof speaker === 'string' && speaker.length <= LONGEST_ROLE;
  return isSpeaker ? speaker : undefined;
}

function readRun(run: JsonValue, mapping: ParsedMapping): RecordedRun {
  const { paths, name } = mapping;
  if (messagesOf(run, mapping).length === 0) {
    const expected = paths.role === undefined ? 'messages' : `messages with ${paths.role.text}`;
    throw new RecordingError(paths.messages?.text ?? '$', expected, run);
  }
  const conversation = createConversation();
  const messages = paths.messages === undefined ? [] : listAt(run, paths.messages);
  for (const [index, message] of messages.entries()) {
    readMessage(message, `messages[${index}]`, mapping, conversation);
  }
  const read = (path: JsonPath | undefined): JsonValue | undefined =>
    valueAt(run, path) ?? undefined;
  const id = read(paths.id);
  const task = read(paths.task);
  const isTask = task !== undefined && !(typeof task === 'number' && isRoundedInteger(task));
  const verdict = read(paths.verdict);
  const time = createRunUsage();
  time.addTime(read(paths.createdAt));
  const found = conversation.finish();
  return {
    ...found,
    objective: asString(read(paths.objective)) ?? found.objective,
    source: sourceIds({ id: id ?? null }, ['id']),
    task: isTask ? asName(task) : undefined,
    verdicts:
      verdict === undefined
        ? undefined
        : [{ path: paths.verdict?.text ?? 'verdict', value: verdict, rank: 'main' }],
    model: asString(read(paths.model)),
    createdAt: time.startedAt(),
    framework: name,
    record: run,
  };
}

function readMessage(
  message: JsonValue,
  path: string,
  mapping: ParsedMapping,
  conversation: Conversation,
): void {
  const { paths, calls, results } = mapping;
  const called = calls.at === undefined ? [] : listAt(message, calls.at).filter(isCall(mapping));
  const held = results.at === undefined ? [] : listAt(message, results.at).filter(isHeld(mapping));
  const speaker = paths.role === undefined ? undefined : speakerOf(message, paths.role);
  const isAgent = paths.role === undefined || (speaker === undefined && called.length > 0);
  const role = isAgent ? 'assistant' : roleOf(speaker, mapping);
  const content = valueAt(message, paths.content);
  const words =
    isIn(calls.at, paths.content) || isIn(results.at, paths.content)
      ? onlyWords(content, mapping)
      : content;
  const text = typeof words === 'string' ? words : readText(words, conversation.omitted);
  const thinking = asString(valueAt(message, paths.thinking));
  if (thinking !== undefined) conversation.addReasoning(thinking);
  if (role === 'assistant') conversation.addThought(text);
  else if (role === 'user' && text !== '') conversation.addUserMessage(text);
  else if (role === undefined && text !== '') {
    conversation.addUserMessage(text, speaker ?? NO_SPEAKER);
  } else if (speaker === undefined && held.length === 0 && thinking === undefined) {
    conversation.omit('message_without_speaker');
  }
  for (const call of called) {
    const given = valueAt(call, calls.arguments);
    const place = `${path}.${calls.name?.text}`;
    conversation.addSteps(
      toolCall(valueAt(call, calls.name), given, valueAt(call, calls.id), place),
    );
  }
  for (const result of held) {
    const found = results.content === undefined ? text : asText(valueAt(result, results.content));
    addResult(result, found, mapping, conversation);
  }
  if (role !== 'tool' || held.length > 0) return;
  if (results.at !== undefined) conversation.addSteps(toolResult(text, undefined));
  else {
    const found = valueAt(message, results.content) ?? text;
    addResult(message, asText(found), mapping, conversation);
  }
}

function addResult(
  result: JsonValue,
  content: string,
  { results }: ParsedMapping,
  conversation: Conversation,
): void {
  const sign = isError(valueAt(result, results.error)) ? 'flag' : undefined;
  conversation.addSteps(toolResult(content, valueAt(result, results.id), sign));
}

/** Whether an element of the list of calls is one, not a block of words among them. */
function isCall({ calls }: ParsedMapping): (call: JsonValue) => boolean {
  return (call) =>
    call !== null &&
    (valueAt(call, calls.name) !== undefined || valueAt(call, calls.arguments) !== undefined);
}

/** Whether an element of the list of results is one. */
function isHeld(mapping: ParsedMapping): (result: JsonValue) => boolean {
  const { paths, results } = mapping;
  return (result) => {
    if (result === null) return false;
    if (isIn(results.at, paths.content) && !isResult(result, mapping)) return false;
    const content = results.content && valueAt(result, results.content);
    return results.at?.segments.length !== 0 || (content !== undefined && content !== null);
  };
}

/** Whether a list of calls or results is in the content of a message, among blocks of words. */
function isIn(list: JsonPath | undefined, content: JsonPath | undefined): boolean {
  return list !== undefined && content !== undefined && list.text.startsWith(`${content.text}[`);
}

/** The blocks of a content that are neither calls nor results. */
function onlyWords(content: JsonValue | undefined, mapping: ParsedMapping): JsonValue | undefined {
  const { calls } = mapping;
  if (!Array.isArray(content)) return content;
  return content.filter((block) => {
    const isCall = calls.at !== undefined && valueAt(block, calls.name) !== undefined;
    return !isCall && !(mapping.results.at !== undefined && isResult(block, mapping));
  });
}

function isResult(block: JsonValue, { results }: ParsedMapping): boolean {
  return valueAt(block, results.id ?? results.content) !== undefined;
}

function roleOf(speaker: string | undefined, mapping: ParsedMapping): MappedRole | undefined {
  if (speaker === undefined) return undefined;
  const usual = (Object.keys(ROLES) as MappedRole[]).find((role) => ROLES[role].test(speaker));
  return mapping.roles.get(speaker) ?? usual;
}

function isError(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== false && value !== null && value !== 0 && value !== '';
}
