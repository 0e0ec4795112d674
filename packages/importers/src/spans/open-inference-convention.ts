import { asObjects, isJsonObject, type JsonValue, parseEmbedded } from '../json/json-value.ts';
import { asText } from '../messages/content.ts';
import type { ModelMessage } from '../messages/model-message.ts';
import { readMessages } from '../messages/read-messages.ts';
import { verdictOf } from './gen-ai-convention.ts';
import { type SpanConvention, textOf } from './span.ts';
import { unflatten } from './unflatten.ts';

/** The attribute that every OpenInference span has. */
export const SPAN_KIND = 'openinference.span.kind';

/**
 * The OpenInference conventions: messages are flattened into keys
 * (`llm.output_messages.0.message.content`), and tools have spans of kind `TOOL`.
 *
 * @see https://arize-ai.github.io/openinference/spec/semantic_conventions.html
 */
export const openInferenceConvention: SpanConvention = {
  readModelCall({ attributes }) {
    if (attributes[SPAN_KIND] !== 'LLM') return undefined;
    const inputs = unflatten(attributes, 'llm.input_messages').flatMap(readFlattened);
    const outputs = unflatten(attributes, 'llm.output_messages').flatMap(readFlattened);
    if (inputs.length + outputs.length > 0) return { inputs, outputs };
    // Completion calls have a prompt and a completion.
    const said = (role: string, key: string): ModelMessage[] => {
      const text = textOf(attributes, key);
      return text === undefined ? [] : [{ role, parts: [{ kind: 'text', text }] }];
    };
    return { inputs: said('user', 'input.value'), outputs: said('assistant', 'output.value') };
  },

  readToolExecution({ name, attributes }) {
    if (attributes[SPAN_KIND] !== 'TOOL') return undefined;
    const callId = textOf(attributes, 'tool_call.id', 'tool.id');
    const result = attributes['output.value'];
    const recorded = attributes['input.value'] ?? attributes['tool.parameters'];
    return {
      name: textOf(attributes, 'tool.name', 'tool_call.function.name') ?? name,
      callId,
      arguments: parseEmbedded(recorded) ?? null,
      result: result === undefined || result === null ? undefined : asText(result),
    };
  },

  readVerdicts({ attributes }) {
    const names = Object.keys(attributes).flatMap(
      (key) => /^annotations\.(.+)\.(?:label|score)$/.exec(key)?.[1] ?? [],
    );
    return [...new Set(names)]
      .filter((name) => !name.startsWith('knowledgepulse'))
      .flatMap((name) => {
        const path = `annotations.${name}`;
        return verdictOf(path, attributes[`${path}.label`], attributes[`${path}.score`]);
      });
  },
};

function readFlattened(entry: JsonValue): ModelMessage[] {
  const message = isJsonObject(entry) && isJsonObject(entry.message) ? entry.message : undefined;
  if (message === undefined) return [];
  const contents = asObjects(message.contents).map(
    ({ message_content }) => message_content ?? null,
  );
  const toolCalls = asObjects(message.tool_calls).map(({ tool_call }) => tool_call ?? null);
  const content = contents.length > 0 ? contents : (message.content ?? null);
  return readMessages({ ...message, content, tool_calls: toolCalls });
}
