import { type DefinedImporter, defineImporter } from '../../importer/define-importer.ts';
import { asObjects, isJsonObject, type JsonValue, parseEmbedded } from '../../json/json-value.ts';
import { asText } from '../../messages/content.ts';
import { type ModelMessage, modelCall } from '../../messages/model-message.ts';
import { readSpanRuns } from '../../spans/read-span-runs.ts';
import { holdsSpans, readSpans } from '../../spans/read-spans.ts';
import { type Span, type SpanConvention, textOf } from '../../spans/span.ts';
import { splitSpans } from '../../spans/split-spans.ts';

const VERSION = 'monocle_apptrace.version';
const ROLES = ['system', 'developer', 'user', 'assistant'];

const convention: SpanConvention = {
  readModelCall(span) {
    if (!/^inference\b/.test(textOf(span.attributes, 'span.type') ?? '')) return undefined;
    const { input } = eventOf(span, 'data.input');
    const { response } = eventOf(span, 'data.output');
    return modelCall(messagesIn(input, 'user'), messagesIn(response, 'assistant'));
  },
  readToolExecution(span) {
    if (textOf(span.attributes, 'span.type') !== 'agentic.tool.invocation') return undefined;
    const { response } = eventOf(span, 'data.output');
    return {
      name: textOf(span.attributes, 'entity.1.name') ?? span.name,
      arguments: parseEmbedded(eventOf(span, 'data.input').input) ?? null,
      result: response === undefined ? undefined : asText(response),
    };
  },
  readVerdicts: () => [],
};

/**
 * Monocle traces in the JSON of OpenTelemetry's SDK: messages are in the events `data.input` and
 * `data.output` of spans of types `inference` and `agentic.tool.invocation`. Some frameworks record no
 * answers; the model's calls are then known from the tool spans.
 */
export const monocleImporter: DefinedImporter = /* @__PURE__ */ defineImporter({
  name: 'monocle',
  title: 'Monocle traces (Okahu)',
  family: 'spans',
  docs: {
    file: 'one array of spans per trace, or one span per line',
    where: '`.monocle/monocle_trace_*.json`',
    thought: '`data.output` of `inference` spans',
    toolCall: '`agentic.tool.invocation` spans',
    error: 'status of the tool span',
    success: 'not recorded',
  },
  samples: () => import('./samples.ts').then(({ samples }) => samples),
  detect(value) {
    if (!Array.isArray(value) || value.length === 0 || !value.every(holdsSpans)) return undefined;
    const isOwn = readSpans(value).some(({ attributes }) => VERSION in attributes);
    return isOwn ? { seen: VERSION, fit: 'distinct' } : undefined;
  },
  splitPieces: splitSpans,
  read: (value) => readSpanRuns(value, convention),
});

function eventOf({ events }: Span, name: string): Readonly<Record<string, JsonValue>> {
  return events.find((event) => event.name === name)?.attributes ?? {};
}

/** Reads messages: JSON texts of objects with one field, the role. */
function messagesIn(value: JsonValue | undefined, role: string): ModelMessage[] {
  const list = Array.isArray(value) ? value : value === undefined ? [] : [value];
  return list.flatMap((entry): ModelMessage[] => {
    const message = parseEmbedded(entry);
    if (!isJsonObject(message)) {
      const text = asText(message);
      return text === '' ? [] : [{ role, parts: [{ kind: 'text', text }] }];
    }
    // Tool results are in separate spans.
    if ('call_id' in message) return [];
    return ROLES.flatMap((name): ModelMessage[] => {
      const said = message[name];
      if (said === undefined || said === null) return [];
      const texts = Array.isArray(said)
        ? asObjects(said).map(({ text }) => asText(text))
        : [asText(said)];
      return [{ role: name, parts: texts.map((text) => ({ kind: 'text', text })) }];
    });
  });
}
