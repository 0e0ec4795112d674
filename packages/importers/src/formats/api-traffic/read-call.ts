import {
  asObjects,
  asString,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../json/json-value.ts';
import { readCompletion } from '../../messages/bedrock-stream.ts';
import type { ModelCall, ModelMessage } from '../../messages/model-message.ts';
import { readMessages } from '../../messages/read-messages.ts';
import { readResponseCall } from '../openai-responses/openai-responses.ts';
import type { Exchange } from './exchange.ts';

/** Reads the call of a model by the fields of its request and response; undefined for other calls. */
export function readCall({ request, response }: Exchange): ModelCall | undefined {
  if (Array.isArray(response.outputs) && typeof response.status === 'string') {
    return readInteraction(request, response.outputs);
  }
  const { input } = request;
  const isItems = typeof input === 'string' || Array.isArray(input);
  if (Array.isArray(response.output) || (isItems && !request.messages)) {
    return input || response.output ? readResponseCall(input, response.output) : undefined;
  }
  const { contents, messages } = request;
  const { candidates, choices, output } = response;
  const candidate = asObjects(candidates)[0];
  if (Array.isArray(contents) || candidate !== undefined) {
    return { inputs: readContents(contents), outputs: readMessages(candidate?.content) };
  }
  const answer =
    (isJsonObject(output) ? output.message : undefined) ??
    asObjects(choices)[0]?.message ??
    (response.role === 'assistant' ? response : undefined);
  if (Array.isArray(messages) || answer !== undefined) {
    return { inputs: readMessages(messages), outputs: readMessages(answer) };
  }
  return readTextCall(request, response);
}

/** Reads a call of Gemini's Interactions API, whose outputs are blocks without a message. */
function readInteraction({ input }: JsonObject, outputs: JsonValue[]): ModelCall {
  const said = typeof input === 'string' ? [{ role: 'user', content: input }] : asObjects(input);
  const inputs = said.map((each) =>
    each.role === 'model' ? { ...each, role: 'assistant' } : each,
  );
  const content = asObjects(outputs).map((block) =>
    block.type === 'function_call'
      ? { ...block, type: 'tool_use', input: block.arguments ?? null }
      : block,
  );
  const isSaid = (block: JsonObject): boolean => block.type !== 'thought' || 'summary' in block;
  return {
    inputs: readMessages(inputs),
    outputs: readMessages([{ role: 'assistant', content: content.filter(isSaid) }]),
  };
}

/** Contents without a role are the user's. */
function readContents(contents: JsonValue | undefined): ModelMessage[] {
  if (!Array.isArray(contents)) return readMessages(contents);
  return readMessages(
    contents.map((each) =>
      isJsonObject(each) && !('role' in each) ? { role: 'user', ...each } : each,
    ),
  );
}

/** Reads a call of a model of Bedrock that takes a text and answers with a text. */
function readTextCall(request: JsonObject, response: JsonObject): ModelCall | undefined {
  const { inputText, prompt, input } = request;
  const asked = asString(inputText ?? prompt ?? (isJsonObject(input) ? input.text : undefined));
  const answer = readCompletion(response);
  if (asked === undefined || answer === undefined) return undefined;
  return {
    inputs: readMessages([{ role: 'user', content: asked }]),
    outputs: readMessages([{ role: 'assistant', content: answer }]),
  };
}
