import type { RecordedVerdict } from '../importer/importer.ts';
import type { JsonValue } from '../json/json-value.ts';
import type { ModelCall } from '../messages/model-message.ts';

/** A span of a distributed trace, independent of the exporting system. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId?: string;
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly start: number;
  readonly end: number;
  readonly attributes: Attributes;
  readonly events: readonly SpanEvent[];
  /** Whether the span's own status is an error. */
  readonly failed: boolean;
  /** The message of the status. */
  readonly statusMessage?: string;
}

/** Attributes by full key, such as `gen_ai.tool.name`. */
export type Attributes = Readonly<Record<string, JsonValue>>;

/** An event of a span. */
export interface SpanEvent {
  readonly name: string;
  readonly attributes: Attributes;
}

/** A recorded tool call. */
export interface ToolExecution {
  readonly name: string;
  readonly callId?: string;
  readonly arguments?: JsonValue;
  /** Absent if the recording omits content. */
  readonly result?: string;
}

/** How one convention names attributes. */
export interface SpanConvention {
  readModelCall(span: Span): ModelCall | undefined;
  readToolExecution(span: Span): ToolExecution | undefined;
  /** Reads what a span records about the outcome of the run. */
  readVerdicts(span: Span): RecordedVerdict[];
}

/** The first non-empty text among some attributes. */
export function textOf(attributes: Attributes, ...keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = attributes[key];
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

/** The message of the exception that a span recorded; '' if there is none. */
export function exceptionOf({ events }: Span): string {
  const exception = events.find(({ name }) => name === 'exception');
  const message = exception?.attributes['exception.message'];
  return typeof message === 'string' ? message : '';
}

/**
 * Maps each span to the value of the outermost span that has one, among itself and its ancestors. Stops at
 * a cycle in invalid data. Runs in linear time at any depth.
 */
export function fromOutermost<Value>(
  spans: readonly Span[],
  byId: ReadonlyMap<string, Span>,
  saidBy: (span: Span) => Value | undefined,
): Map<string, Value | undefined> {
  const found = new Map<string, Value | undefined>();
  for (const span of spans) {
    const path: Span[] = [];
    const onPath = new Set<string>();
    let at: Span | undefined = span;
    while (at !== undefined && !found.has(at.spanId) && !onPath.has(at.spanId)) {
      path.push(at);
      onPath.add(at.spanId);
      at = at.parentId === undefined ? undefined : byId.get(at.parentId);
    }
    let value = at === undefined ? undefined : found.get(at.spanId);
    for (const each of path.reverse()) {
      value ??= saidBy(each);
      found.set(each.spanId, value);
    }
  }
  return found;
}

/** The earliest start of some spans; Infinity if there are none. */
export function earliestStart(spans: Iterable<Span>): number {
  let earliest = Number.POSITIVE_INFINITY;
  for (const { start } of spans) earliest = Math.min(earliest, start);
  return earliest;
}
