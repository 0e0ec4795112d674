import { sha256 } from '@kp/foundation';
import type { Provenance } from '@kp/schema';
import type { RecordedRun } from '../importer/importer.ts';
import { asString, isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts';

/** Digests of what a recording says of the task, by which tasks of one name are told apart. */
export type TaskEvidence = Pick<Provenance, 'instructions' | 'setting'>;

/** Fields in which benchmarks keep what the run was to do; a person may be simulated by it. */
const INSTRUCTIONS: readonly (readonly string[])[] = [
  ['info', 'task', 'instruction'],
  ['task', 'instruction'],
  ['instruction'],
  ['task_description'],
  ['problem_statement'],
  ['user_scenario'],
];
/** Fields with the messages of a run, or with the system prompt itself. */
const MESSAGES = ['messages', 'traj', 'history', 'conversation', 'conversations', 'input'];
const SYSTEM_PROMPTS = ['system', 'system_prompt', 'instructions', 'systemInstruction'];
/** A system prompt comes first, if there is one. */
const MESSAGES_READ = 4;
const SHOWN_DIGITS = 16;

/** What a recording says of the task beside its messages; see {@link TaskEvidence}. */
export async function taskEvidence({ record }: RecordedRun): Promise<TaskEvidence> {
  if (!isJsonObject(record) && !Array.isArray(record)) return {};
  const places = isJsonObject(record)
    ? [record, record.request, record.info].filter(isJsonObject)
    : [];
  const instructions = isJsonObject(record) ? instructionsIn(record) : undefined;
  const setting = [systemPrompts(record, places), toolNames(places)].flat();
  const evidence: { -readonly [Key in keyof TaskEvidence]: TaskEvidence[Key] } = {};
  if (instructions !== undefined) evidence.instructions = await digest(instructions);
  if (setting.length > 0) evidence.setting = await digest(setting.join('\n'));
  return evidence;
}

function instructionsIn(record: JsonObject): string | undefined {
  for (const path of INSTRUCTIONS) {
    let value: JsonValue | undefined = record;
    for (const name of path) value = isJsonObject(value) ? value[name] : undefined;
    if (typeof value === 'string' && value.trim() !== '') return value;
    if (isJsonObject(value)) return JSON.stringify(value);
  }
  return undefined;
}

function systemPrompts(record: JsonValue, places: readonly JsonObject[]): string[] {
  const lists = [record, ...places.flatMap((place) => MESSAGES.map((name) => place[name]))];
  const messages = lists.find(
    (list): list is JsonValue[] => Array.isArray(list) && list.length > 0,
  );
  const system = (messages ?? []).slice(0, MESSAGES_READ).filter((message) => {
    if (!isJsonObject(message)) return false;
    return /^(?:system|developer)$/.test(
      asString(message.role ?? message.from ?? message.type) ?? '',
    );
  });
  const fields = places.flatMap((place) => SYSTEM_PROMPTS.map((name) => place[name]));
  return [...system, ...fields].flatMap((prompt) => {
    const text = isJsonObject(prompt) ? (prompt.content ?? prompt.value ?? prompt.parts) : prompt;
    return text === undefined || text === null ? [] : [JSON.stringify(text)];
  });
}

function toolNames(places: readonly JsonObject[]): string[] {
  const tools = places.map(({ tools: list }) => list).find(Array.isArray) ?? [];
  return tools
    .flatMap((tool) => {
      if (!isJsonObject(tool)) return [];
      const inner = isJsonObject(tool.function) ? tool.function : tool;
      return asString(inner.name) ?? [];
    })
    .sort();
}

/** Dates and ids in a prompt, which change from run to run, do not matter. */
async function digest(text: string): Promise<string> {
  const normalised = text.replace(/\d+/g, '0').replace(/\s+/g, ' ');
  return (await sha256(normalised)).slice(0, SHOWN_DIGITS);
}
