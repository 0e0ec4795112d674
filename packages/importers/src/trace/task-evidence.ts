import { sha256 } from '@kp/foundation';
import type { Provenance } from '@kp/schema';
import type { RecordedRun } from '../importer/importer.ts';
import { asString, isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts';

/** Digests of the recorded task, which distinguish different tasks with the same name. */
export type TaskEvidence = Pick<Provenance, 'instructions' | 'setting'>;

/** Fields in which benchmarks store the instructions, possibly those of a simulated user. */
const INSTRUCTIONS: readonly (readonly string[])[] = [
  ['info', 'task', 'instruction'],
  ['task', 'instruction'],
  ['instruction'],
  ['task_description'],
  ['problem_statement'],
  ['user_scenario'],
];
/** Fields with the messages of a run or its system prompt. */
const MESSAGES = ['messages', 'traj', 'history', 'conversation', 'conversations', 'input'];
const SYSTEM_PROMPTS = ['system', 'system_prompt', 'instructions', 'systemInstruction'];
/** Messages searched for a system prompt, which comes first. */
const MESSAGES_READ = 4;
const SHOWN_DIGITS = 16;

/** Computes the digests of the recorded task; see {@link TaskEvidence}. */
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

/** Hashes a prompt without dates and ids, which change from run to run. */
async function digest(text: string): Promise<string> {
  const normalised = text.replace(/\d+/g, '0').replace(/\s+/g, ' ');
  return (await sha256(normalised)).slice(0, SHOWN_DIGITS);
}
