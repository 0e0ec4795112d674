import { isJsonObject, type JsonObject, type JsonValue } from '@kp/importers';

const MESSAGES = ['messages', 'traj', 'history', 'conversation', 'conversations', 'input'];
const SYSTEM_PROMPTS = ['system', 'system_prompt', 'instructions', 'systemInstruction'];
/** Number of messages searched for a system prompt, which precedes the first user message. */
const MESSAGES_READ = 4;

/** Finds the system prompt of a recording; it is not a step of the trace. */
export function systemPromptOf(record: JsonValue): string | undefined {
  const places = placesIn(record);
  for (const place of places) {
    for (const name of SYSTEM_PROMPTS) {
      const text = textOf(place[name]);
      if (text !== '') return text;
    }
  }
  const lists = [record, ...places.flatMap((place) => MESSAGES.map((name) => place[name]))];
  const messages = lists.find(
    (list): list is JsonValue[] => Array.isArray(list) && list.length > 0,
  );
  const prompts = (messages ?? [])
    .slice(0, MESSAGES_READ)
    .filter(isJsonObject)
    .filter(({ role, from, type }) => /^(?:system|developer)$/.test(String(role ?? from ?? type)))
    .map(({ content, value, parts }) => textOf(content ?? value ?? parts))
    .filter((text) => text !== '');
  return prompts.length === 0 ? undefined : prompts.join('\n\n');
}

/** Reads the tool schemas of a recording as function schemas, in any provider's format. */
export function toolsOf(record: JsonValue): readonly object[] | undefined {
  const lists = placesIn(record).map(({ tools }) => tools);
  const tools = lists.find((list): list is JsonValue[] => Array.isArray(list) && list.length > 0);
  const functions = (tools ?? []).filter(isJsonObject).flatMap((tool) => {
    const inner = isJsonObject(tool.function) ? tool.function : tool;
    const { name, description, parameters, input_schema, inputSchema } = inner;
    if (typeof name !== 'string') return [];
    const schema = parameters ?? input_schema ?? inputSchema;
    const described = typeof description === 'string' ? { description } : {};
    const typed = isJsonObject(schema) ? { parameters: schema } : {};
    return [{ type: 'function', function: { name, ...described, ...typed } }];
  });
  return functions.length === 0 ? undefined : functions;
}

function placesIn(record: JsonValue): JsonObject[] {
  return isJsonObject(record) ? [record, record.request, record.info].filter(isJsonObject) : [];
}

/** Returns a string, the text blocks of a message, or the text of its parts. */
function textOf(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value.trim() === '' ? '' : value;
  if (isJsonObject(value)) return textOf(value.text ?? value.content ?? value.parts);
  if (!Array.isArray(value)) return '';
  return value
    .map((part) => textOf(part))
    .filter((text) => text !== '')
    .join('\n\n');
}
