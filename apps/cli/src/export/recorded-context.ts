import { isJsonObject, type JsonValue, recordedSetting } from '@kp/importers';

/** Finds the system prompt of a recording; it is not a step of the trace. */
export function systemPromptOf(record: JsonValue): string | undefined {
  const { promptFields, systemMessages } = recordedSetting(record);
  const field = promptFields.map(textOf).find((text) => text !== '');
  if (field !== undefined) return field;
  const prompts = systemMessages.map(textOf).filter((text) => text !== '');
  return prompts.length === 0 ? undefined : prompts.join('\n\n');
}

/** Reads the tool schemas of a recording as function schemas, in any provider's format. */
export function toolsOf(record: JsonValue): readonly object[] | undefined {
  const functions = recordedSetting(record).tools.flatMap((tool) => {
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
