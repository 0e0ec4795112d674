import { RecordingError } from '../../errors/errors.ts';
import { type DefinedImporter, defineImporter } from '../../importer/define-importer.ts';
import type { RecordedVerdict } from '../../importer/importer.ts';
import {
  asName,
  asObjects,
  asString,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseEmbedded,
} from '../../json/json-value.ts';
import { assembleBedrockAnswer, readCompletion } from '../../messages/bedrock-stream.ts';
import { decodeText } from '../../messages/event-stream.ts';
import { readExchanges } from '../../messages/exchanges.ts';
import type { ModelCall, ModelMessage } from '../../messages/model-message.ts';
import { readMessages } from '../../messages/read-messages.ts';
import { assembleAnswer, unwrap } from '../../messages/streamed-answer.ts';
import { readResponseCall } from '../openai-responses/openai-responses.ts';

const GROUP = 'api-traffic';

/** A recorded network call. */
interface Exchange {
  readonly address: string;
  readonly request: JsonObject;
  readonly response: JsonObject;
  /** The HTTP status, if it is recorded. */
  readonly status?: number;
}

const FIRST_ERROR_STATUS = 400;

/**
 * Recorded traffic with a model API: `[{uri, method, request, response}]`, VCR cassettes (`interactions`)
 * and HAR files, or a single answer. Supports OpenAI's Responses and chat APIs, Anthropic, Bedrock Converse
 * and Gemini, also in streams. One run per recording.
 */
export const apiTrafficImporter: DefinedImporter = /* @__PURE__ */ defineImporter({
  name: 'api-traffic',
  title: 'Recorded API traffic (Responses, chat, Anthropic, Bedrock, Gemini)',
  docs: {
    file: '`[{uri, method, request, response}]`, VCR in JSON, HAR, nock, replays of the Google Gen AI SDK, a single answer',
    where:
      "VCR cassettes in JSON, HAR from the browser's network panel, recordings of nock and llama-stack",
    thought: 'as in the API: Responses, chat, Anthropic, Bedrock, Gemini',
    toolCall: 'as in the API',
    error: 'as in the API',
    success: 'an error status of the last response',
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
    const failure = readFailure(exchanges.at(-1));
    if (run.steps.length === 0 && failure === undefined) {
      const received = 'none, as when they are given in a stream';
      throw new RecordingError('responses', 'answers that are recorded', received);
    }
    yield {
      ...run,
      source: {},
      model: model ?? fromAddress,
      verdicts: failure,
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
    const { status, headers, body } = value;
    // A recorded answer without its request.
    if (typeof status === 'number' && isJsonObject(headers) && typeof body === 'string') {
      return [{ address: '', request: {}, response: toObject(body), status }];
    }
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
    const isStream = entry.responseIsBinary === true && typeof response === 'string';
    const answer = isStream ? assembleBedrockAnswer(response, 'hex') : toObject(response);
    const status = asStatus(entry.status);
    return { address, request: toObject(entry.body), response: answer ?? {}, status };
  }
  // Gemini CLI keeps the answers that its tests replay.
  if (/^generateContent(?:Stream)?$/.test(asName(entry.method)) && response !== undefined) {
    return { address: '', request: inner, response: toObject(response) };
  }
  const address = asString(entry.uri ?? entry.url ?? inner.uri ?? inner.url);
  const isCall = typeof (entry.method ?? inner.method) === 'string' && response !== undefined;
  if (address === undefined || !isCall) return undefined;
  const { status, status_code } = isJsonObject(response) ? response : {};
  const code = isJsonObject(status) ? status.code : (status ?? status_code ?? entry.status);
  return {
    address,
    request: readBody(request),
    response: readBody(response),
    status: asStatus(code),
  };
}

function asStatus(status: JsonValue | undefined): number | undefined {
  return typeof status === 'number' && status >= 100 ? status : undefined;
}

/** A recording whose last call the API refused has failed. */
function readFailure(last: Exchange | undefined): RecordedVerdict[] | undefined {
  if (last?.status === undefined || last.status < FIRST_ERROR_STATUS) return undefined;
  const { error, message } = last.response;
  const reason = isJsonObject(error) ? error.message : (error ?? message);
  return [{ path: 'response.status', value: reason ?? `HTTP ${last.status}`, rank: 'crash' }];
}

function toObject(value: JsonValue | undefined): JsonObject {
  const parsed = parseEmbedded(value);
  return isJsonObject(parsed) ? unwrap(parsed) : (assembleAnswer(parsed) ?? {});
}

/** Reads the body of a message. Tools use many names for it, and store an object or its JSON. */
function readBody(message: JsonValue | undefined): JsonObject {
  if (!isJsonObject(message)) return {};
  const { parsed_body, body, body_segments, postData, content } = message;
  // In a HAR file, `content` contains the body; in an answer, `content` is a list.
  const inContent = isJsonObject(content) ? content : undefined;
  const held = [parsed_body, body, body_segments, postData, inContent].find(
    (part) => part !== undefined,
  );
  if (held === undefined) return 'headers' in message ? {} : message;
  if (Array.isArray(held)) return assembleAnswer(held) ?? toObject(held[0]);
  if (!isJsonObject(held)) return toObject(held);
  const { string, text, data, base64_string, encoding } = held;
  const encoded = base64_string ?? (encoding === 'base64' ? (data ?? text) : undefined);
  if (typeof encoded !== 'string') return toObject(string ?? text ?? held);
  const stream = assembleBedrockAnswer(encoded, 'base64');
  return stream ?? toObject(decodeText(encoded));
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
