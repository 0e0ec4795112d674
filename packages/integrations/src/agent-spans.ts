import { asText, isObject } from './run/json-values.ts';

/** What is kept of a span that has ended. */
export interface FinishedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly traceFlags?: number;
  readonly name: string;
  readonly kind: number;
  /** Seconds and nanoseconds since the epoch. */
  readonly startTime: readonly [number, number];
  readonly endTime: readonly [number, number];
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly unknown[];
  readonly status: { readonly code?: number; readonly message?: string };
  readonly scope: string;
}

/** The spans of one run, and the one that stands for the agent. */
export interface AgentSpans {
  readonly agent: FinishedSpan;
  readonly spans: readonly FinishedSpan[];
}

export interface SpanCollector {
  start(span: unknown): void;
  end(span: unknown): void;
  /** Lets go of what is open as if it had ended. */
  endAll(): void;
}

/** A span that has begun. Its parents lead to the agent or the root that it belongs to. */
interface OpenSpan {
  readonly spanId: string;
  readonly parent: OpenSpan | undefined;
  /** What has ended below it, while it is the outermost one or an agent's. */
  readonly ended: FinishedSpan[];
  isAgent: boolean;
}

const MOST_SPANS = 10_000;
const MOST_OPEN = 100_000;
const AGENT = /^(?:invoke_agent|create_agent)$/;
const GEN_AI = /^(?:gen_ai|ai|llm|openinference|traceloop|tool|input|output|message|agent)\./;

/**
 * Gathers spans as they end: below an agent span for its run, else below the outermost span. At most
 * 10,000 a run are kept and 100,000 are open; what no end ever comes for is let go with its root.
 *
 * @param onRun - told of each run when its agent or root has ended.
 */
export function collectAgentSpans(onRun: (run: AgentSpans) => void): SpanCollector {
  const open = new Map<string, OpenSpan>();

  function start(span: unknown): void {
    const ids = idsOf(span);
    if (ids === undefined || open.size >= MOST_OPEN) return;
    const parent = open.get(`${ids.traceId}/${ids.parentSpanId}`);
    open.set(`${ids.traceId}/${ids.spanId}`, {
      spanId: ids.spanId,
      parent,
      ended: [],
      isAgent: isAgentSpan(span),
    });
  }

  function end(span: unknown): void {
    const ids = idsOf(span);
    if (ids === undefined) return;
    const key = `${ids.traceId}/${ids.spanId}`;
    const begun = open.get(key);
    open.delete(key);
    if (begun === undefined) return;
    // What makes a span an agent's may be set while it is open.
    begun.isAgent ||= isAgentSpan(span);
    const finished = finishedSpan(span, ids);
    const own = isGenAi(finished) ? [...begun.ended, finished] : begun.ended;
    const owner = begun.isAgent ? undefined : ownerOf(begun);
    if (owner !== undefined) {
      const room = Math.max(0, MOST_SPANS - owner.ended.length);
      owner.ended.push(...own.slice(0, room));
    } else if (own.some(isGenAi)) {
      onRun({ agent: finished, spans: own });
    }
  }

  return {
    start,
    end,
    endAll() {
      for (const { ended } of open.values()) {
        const [first] = ended;
        if (first !== undefined) onRun({ agent: first, spans: ended });
      }
      open.clear();
    },
  };
}

/** The nearest agent span above, else the outermost one; undefined for the outermost itself. */
function ownerOf(span: OpenSpan): OpenSpan | undefined {
  let above = span.parent;
  while (above !== undefined && !above.isAgent && above.parent !== undefined) above = above.parent;
  return above;
}

function isAgentSpan(span: unknown): boolean {
  const attributes = attributesOf(span);
  const kind = asText(attributes['openinference.span.kind']).toUpperCase();
  return kind === 'AGENT' || AGENT.test(asText(attributes['gen_ai.operation.name']));
}

function isGenAi({ attributes }: FinishedSpan): boolean {
  return Object.keys(attributes).some((name) => GEN_AI.test(name));
}

interface SpanIds {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number | undefined;
  readonly parentSpanId: string | undefined;
}

/** Of version 1 of the SDK (`parentSpanId`) and of version 2 (`parentSpanContext`). */
function idsOf(span: unknown): SpanIds | undefined {
  if (!isObject(span)) return undefined;
  const ask = span.spanContext;
  const context: unknown = typeof ask === 'function' ? ask.call(span) : undefined;
  if (!isObject(context)) return undefined;
  const { traceId, spanId, traceFlags } = context;
  if (typeof traceId !== 'string' || typeof spanId !== 'string') return undefined;
  const above: unknown = isObject(span.parentSpanContext)
    ? span.parentSpanContext.spanId
    : span.parentSpanId;
  return {
    traceId,
    spanId,
    traceFlags: typeof traceFlags === 'number' ? traceFlags : undefined,
    parentSpanId: typeof above === 'string' ? above : undefined,
  };
}

function attributesOf(span: unknown): Readonly<Record<string, unknown>> {
  const attributes: unknown = isObject(span) ? span.attributes : undefined;
  return isObject(attributes) ? attributes : {};
}

function finishedSpan(span: unknown, ids: SpanIds): FinishedSpan {
  const read: Readonly<Record<string, unknown>> = isObject(span) ? span : {};
  const scope = read.instrumentationScope ?? read.instrumentationLibrary;
  return {
    ...ids,
    name: asText(read.name),
    kind: typeof read.kind === 'number' ? read.kind : 0,
    startTime: timeOf(read.startTime),
    endTime: timeOf(read.endTime),
    attributes: attributesOf(span),
    events: Array.isArray(read.events) ? read.events : [],
    status: isObject(read.status) ? read.status : {},
    scope: isObject(scope) ? asText(scope.name) : '',
  };
}

function timeOf(value: unknown): [number, number] {
  const [seconds, nanoseconds] = Array.isArray(value) ? value : [];
  return [Number(seconds) || 0, Number(nanoseconds) || 0];
}
