import { type RecordedStep, toJson } from '@kp/importers';
import { type FinishedRun, finishRun, type ReadRun, type RunFacts } from './finished-run.ts';
import { IntegrationError, overloaded } from './integration-error.ts';
import { asText, describeObject, isObject, toolCallStep } from './json-values.ts';
import { createLiveScorer, type LiveScorer, type LiveScorerOptions } from './live-scorer.ts';
import { readAs } from './read-run.ts';

/**
 * The trace of a run of OpenAI's Agents SDK: of what `run(agent, input)` gives, streamed or not, of
 * its serialised state, or of items of the Responses API.
 *
 * @param result - see above.
 * @param facts - what the result does not hold.
 * @throws `IntegrationError` `OBJECT_UNKNOWN` when it is none of these.
 */
export async function fromOpenAiAgents(
  result: unknown,
  facts: RunFacts = {},
): Promise<FinishedRun> {
  const completed: unknown = isObject(result) ? result.completed : undefined;
  if (completed instanceof Promise) await completed;
  return finishRun(readResult(result), facts);
}

function readResult(result: unknown): ReadRun {
  const name = 'OpenAI Agents run';
  if (typeof result === 'string') return readAs('openai-agents', name, parsed(result));
  if (Array.isArray(result)) return asAgents(readAs('openai-responses', name, result));
  const history: unknown = isObject(result) ? result.history : undefined;
  return Array.isArray(history) && history.length > 0
    ? asAgents(readAs('openai-responses', name, history, true))
    : readAs('openai-agents', name, result);
}

function asAgents(read: ReadRun): ReadRun {
  return { ...read, format: 'openai-agents' };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** What the SDK asks of a processor of traces, as far as it is used. */
export interface AgentsTracingProcessor {
  /**
   * A run begins.
   *
   * @param trace - the SDK's.
   */
  onTraceStart(trace: unknown): Promise<void>;
  /**
   * A run has ended and is scored.
   *
   * @param trace - the SDK's.
   */
  onTraceEnd(trace: unknown): Promise<void>;
  /**
   * A part of a run begins; nothing is read yet.
   *
   * @param span - the SDK's.
   */
  onSpanStart(span: unknown): Promise<void>;
  /**
   * A part of a run has ended.
   *
   * @param span - the SDK's.
   */
  onSpanEnd(span: unknown): Promise<void>;
  /**
   * Waits for what is under way, `timeout` milliseconds at most.
   *
   * @param timeout - in milliseconds.
   */
  shutdown(timeout?: number): Promise<void>;
  /** Waits for what is under way. */
  forceFlush(): Promise<void>;
}

/** Options of {@link createTracingProcessor}. */
export interface AgentsProcessorOptions extends LiveScorerOptions {
  /** What is known of a run beside its spans, by the SDK's trace: its `metadata`, its `groupId`. */
  readonly factsOf?: (trace: unknown) => RunFacts;
}

const MOST_TRACES = 1000;
const MOST_SPANS = 10_000;

/**
 * Scores every trace of the SDK when it ends: `addTraceProcessor(createTracingProcessor({ scorer }))`.
 * At most 1,000 traces are held open, of 10,000 spans each; the oldest is let go.
 */
export function createTracingProcessor(
  options: AgentsProcessorOptions,
): AgentsTracingProcessor & Pick<LiveScorer, 'pending'> {
  const live = createLiveScorer(options);
  const open = new Map<string, unknown[]>();
  const startTrace = live.guard((trace: unknown) => {
    const id = idOf(trace, 'traceId');
    if (id === '') throw unusable(trace);
    open.set(id, []);
    const oldest = open.keys().next();
    if (open.size <= MOST_TRACES || oldest.done) return;
    open.delete(oldest.value);
    throw overloaded(`${MOST_TRACES} open traces`, 'Traces that never end keep their place.');
  });
  const endTrace = live.guard((trace: unknown) => {
    const id = idOf(trace, 'traceId');
    const spans = open.get(id);
    open.delete(id);
    if (spans === undefined || !spans.some(saysSomething)) return;
    live.add(
      () => readSpans(id, spans),
      () => options.factsOf?.(trace),
    );
  });
  const endSpan = live.guard((span: unknown) => {
    const spans = open.get(idOf(span, 'traceId'));
    if (spans !== undefined && spans.length < MOST_SPANS) spans.push(span);
  });
  return {
    get pending() {
      return live.pending;
    },
    onTraceStart: async (trace) => startTrace(trace),
    onTraceEnd: async (trace) => endTrace(trace),
    onSpanStart: async () => undefined,
    onSpanEnd: async (span) => endSpan(span),
    shutdown: (timeout) => live.flush(timeout),
    forceFlush: () => live.flush(),
  };
}

function unusable(trace: unknown): IntegrationError {
  return new IntegrationError('PEER_UNUSABLE', {
    subject: '@openai/agents',
    expected: 'traces with a traceId, as of the versions 0.2 to 0.20',
    received: describeObject(trace),
    remedy: 'npm install @openai/agents@0.20, or hand the result of run() to fromOpenAiAgents.',
  });
}

function idOf(value: unknown, field: string): string {
  const id: unknown = isObject(value) ? value[field] : undefined;
  return typeof id === 'string' ? id : '';
}

function dataOf(span: unknown): Readonly<Record<string, unknown>> {
  const data: unknown = isObject(span) ? span.spanData : undefined;
  return isObject(data) ? data : {};
}

function saysSomething(span: unknown): boolean {
  return ['function', 'response', 'generation'].includes(String(dataOf(span).type));
}

function readSpans(traceId: string, spans: readonly unknown[]): ReadRun {
  const ordered = spans.toSorted((a, b) => (startOf(a) < startOf(b) ? -1 : 1));
  const called = new Set(ordered.flatMap((span) => functionName(span) ?? []));
  const inputs = ordered.map((span) => dataOf(span)._input ?? dataOf(span).input);
  const question = inputs.flatMap(userTexts)[0];
  const run = {
    source: { trace: traceId },
    objective: question,
    createdAt: startOf(ordered[0]) || undefined,
    framework: 'openai-agents',
    steps: ordered.flatMap((span) => stepsOf(span, called)),
    record: toJson(ordered.map(dataOf)) ?? null,
  };
  return { format: 'openai-agents', run };
}

function startOf(span: unknown): string {
  return asText(isObject(span) ? span.startedAt : undefined);
}

function functionName(span: unknown): string | undefined {
  const { type, name } = dataOf(span);
  return type === 'function' ? asText(name) : undefined;
}

function stepsOf(span: unknown, called: ReadonlySet<string>): RecordedStep[] {
  const data = dataOf(span);
  if (data.type === 'function') return functionSteps(span, data);
  const response = isObject(data._response) ? data._response.output : data.output;
  if (data.type !== 'response' && data.type !== 'generation') return [];
  const items = Array.isArray(response) ? response : [];
  return items.flatMap((item) => itemSteps(item, called));
}

function functionSteps(span: unknown, data: Readonly<Record<string, unknown>>): RecordedStep[] {
  const callId = idOf(span, 'spanId');
  const error: unknown = isObject(span) ? span.error : undefined;
  return [
    toolCallStep(data.name, data.input, callId),
    {
      kind: 'observation',
      callId,
      content: isObject(error) ? asText(error.message) : asText(data.output),
      error: isObject(error) ? 'flag' : undefined,
    },
  ];
}

/** What a model said; calls of tools with a span of their own stand there. */
function itemSteps(item: unknown, called: ReadonlySet<string>): RecordedStep[] {
  if (!isObject(item)) return [];
  if (item.type === 'function_call') {
    const name = asText(item.name);
    return called.has(name) ? [] : [toolCallStep(name, item.arguments, item.callId)];
  }
  const content = textsOf(item.content ?? item.summary).join('\n');
  return content.trim() === '' ? [] : [{ kind: 'thought', content }];
}

function userTexts(input: unknown): string[] {
  if (typeof input === 'string') return [input];
  const items = Array.isArray(input) ? input : [];
  return items.flatMap((item) => {
    const isUser = isObject(item) && item.role === 'user';
    const text = isUser ? textsOf(item.content).join('\n') : '';
    return text === '' ? [] : [text];
  });
}

function textsOf(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  const parts = Array.isArray(content) ? content : [];
  return parts.flatMap((part) =>
    isObject(part) && typeof part.text === 'string' ? part.text : [],
  );
}
