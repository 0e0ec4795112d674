import { RecordingError } from '../../errors/errors.ts';
import { type DefinedImporter, defineImporter } from '../../importer/define-importer.ts';
import {
  asName,
  asObjects,
  asString,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseEmbedded,
} from '../../json/json-value.ts';
import { readExchanges } from '../../messages/exchanges.ts';
import type { ModelCall } from '../../messages/model-message.ts';
import { readMessages } from '../../messages/read-messages.ts';
import { assembleAnswer, unwrap } from '../../messages/streamed-answer.ts';
import { readResponseCall } from '../openai-responses/openai-responses.ts';

const GROUP = 'api-traffic';

/** A recorded network call. */
interface Exchange {
  readonly address: string;
  readonly request: JsonObject;
  readonly response: JsonObject;
}

/**
 * Recorded traffic with a model API: `[{uri, method, request, response}]`, VCR cassettes (`interactions`)
 * and HAR files, or a single answer. Supports OpenAI's Responses and chat APIs, Anthropic, Bedrock Converse
 * and Gemini, also in streams. One run per recording.
 */
export const apiTrafficImporter: DefinedImporter = /* @__PURE__ */ defineImporter({
  name: 'api-traffic',
  title: 'Recorded API traffic (Responses, chat, Anthropic, Bedrock, Gemini)',
  docs: {
    file: '`[{uri, method, request, response}]`, VCR in JSON, HAR, nock, a single answer',
    where:
      "VCR cassettes in JSON, HAR from the browser's network panel, recordings of nock and llama-stack",
    thought: 'as in the API: Responses, chat, Anthropic, Bedrock, Gemini',
    toolCall: 'as in the API',
    error: 'as in the API',
    success: 'not recorded',
  },
  samples: () => import('./samples.ts').then(({ samples }) => samples),
  detect(value) {
    if (isAnswer(value)) return { seen: 'an answer of a model', fit: 'distinct' };
    const calls = findExchanges(value).flatMap((exchange) => readCall(exchange) ?? []);
    return calls.length === 0 ? undefined : { seen: 'requests and responses', fit: 'distinct' };
  },
  pieceOf: (value) => (readExchange(value) === undefined ? undefined : GROUP),
  *read(value) {
    const answer: Exchange | undefined = isAnswer(value)
      ? { address: '', request: {}, response: value }
      : undefined;
    const exchanges = answer === undefined ? lastOfEach(findExchanges(value)) : [answer];
    const calls = exchanges.flatMap((exchange) => readCall(exchange) ?? []);
    if (calls.length === 0) throw new RecordingError('recording', 'calls of a model', value);
    const named = exchanges.find(({ request }) => typeof request.model === 'string');
    const answered = exchanges.find(({ response }) => typeof response.model === 'string');
    const model = asString(named?.request.model ?? answered?.response.model);
    const fromAddress = /\/models?\/([^/:?]+)/.exec(exchanges[0]?.address ?? '')?.[1];
    const run = readExchanges(calls);
    if (run.steps.length === 0) {
      const received = 'none, as when they are given in a stream';
      throw new RecordingError('responses', 'answers that are recorded', received);
    }
    yield {
      ...run,
      source: {},
      model: model ?? fromAddress,
      record: value,
    };
  },
});

/** Whether a value is a single answer of an API whose answers are not messages: chat, Gemini, Bedrock. */
function isAnswer(value: JsonValue): value is JsonObject {
  if (
    !isJsonObject(value) ||
    ['messages', 'contents', 'request', 'input'].some((key) => key in value)
  ) {
    return false;
  }
  const { choices, candidates, output, stopReason } = value;
  if (isJsonObject(output)) return isJsonObject(output.message) && stopReason !== undefined;
  if (asObjects(candidates).some(({ content }) => isJsonObject(content))) return true;
  return (
    value.object === 'chat.completion' &&
    asObjects(choices).some(({ message }) => isJsonObject(message))
  );
}

function findExchanges(value: JsonValue): Exchange[] {
  let list: JsonValue | undefined = value;
  if (isJsonObject(value)) {
    list = value.interactions ?? (isJsonObject(value.log) ? value.log.entries : undefined);
  }
  return asObjects(list).flatMap((entry) => readExchange(entry) ?? []);
}

function readExchange(entry: JsonValue): Exchange | undefined {
  if (!isJsonObject(entry)) return undefined;
  const { request, response } = entry;
  const inner = isJsonObject(request) ? request : {};
  // nock stores the bodies next to the host and the path.
  const isNock = typeof entry.scope === 'string' && typeof entry.path === 'string';
  if (isNock && typeof entry.method === 'string' && response !== undefined) {
    const address = `${entry.scope}${entry.path}`;
    return { address, request: toObject(entry.body), response: toObject(response) };
  }
  // Gemini CLI keeps the answers that its tests replay.
  if (/^generateContent(?:Stream)?$/.test(asName(entry.method)) && response !== undefined) {
    return { address: '', request: inner, response: toObject(response) };
  }
  const address = asString(entry.uri ?? entry.url ?? inner.uri ?? inner.url);
  const isCall = typeof (entry.method ?? inner.method) === 'string' && response !== undefined;
  if (address === undefined || !isCall) return undefined;
  return { address, request: readBody(request), response: readBody(response) };
}

function toObject(value: JsonValue | undefined): JsonObject {
  const parsed = parseEmbedded(value);
  return isJsonObject(parsed) ? unwrap(parsed) : (assembleAnswer(parsed) ?? {});
}

/** Reads the body of a message. Tools use many names for it, and store an object or its JSON. */
function readBody(message: JsonValue | undefined): JsonObject {
  if (!isJsonObject(message)) return {};
  const { parsed_body, body, postData, content } = message;
  // In a HAR file, `content` contains the body; in an answer, `content` is a list.
  const har = isJsonObject(content) && 'text' in content ? content : undefined;
  const held = [parsed_body, body, postData, har].find((part) => part !== undefined);
  if (held === undefined) return 'headers' in message ? {} : message;
  const text = isJsonObject(held) ? (held.string ?? held.text ?? held) : held;
  return toObject(text);
}

/** Keeps the final state of a response that was polled. */
function lastOfEach(exchanges: readonly Exchange[]): Exchange[] {
  const places = new Map<string, number>();
  const kept: Exchange[] = [];
  for (const exchange of exchanges) {
    const id = asName(exchange.response.id);
    const place = id === '' ? undefined : places.get(id);
    if (place === undefined) {
      places.set(id, kept.push(exchange) - 1);
    } else {
      const request = { ...kept[place]?.request, ...exchange.request };
      kept[place] = { ...exchange, request };
    }
  }
  return kept;
}

function readCall({ request, response }: Exchange): ModelCall | undefined {
  if (Array.isArray(response.output) || (request.input !== undefined && !request.messages)) {
    return request.input || response.output
      ? readResponseCall(request.input, response.output)
      : undefined;
  }
  const { contents, messages } = request;
  const { candidates, choices, output } = response;
  const candidate = asObjects(candidates)[0];
  if (Array.isArray(contents) || candidate !== undefined) {
    return { inputs: readMessages(contents), outputs: readMessages(candidate?.content) };
  }
  const answer =
    (isJsonObject(output) ? output.message : undefined) ??
    asObjects(choices)[0]?.message ??
    (response.role === 'assistant' ? response : undefined);
  if (!Array.isArray(messages) && answer === undefined) return undefined;
  return { inputs: readMessages(messages), outputs: readMessages(answer) };
}
