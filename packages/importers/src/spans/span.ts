import type { RecordedVerdict } from '../importer/importer.ts';
import type { JsonValue } from '../json/json-value.ts';
import type { ModelCall } from '../messages/model-message.ts';

/** A span of a distributed trace, whatever system exported it. */
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
  /** What the status says of it. */
  readonly statusMessage?: string;
}

/** Attributes by their full key, `gen_ai.tool.name`. */
export type Attributes = Readonly<Record<string, JsonValue>>;

/** Something noted at a moment of a span. */
export interface SpanEvent {
  readonly name: string;
  readonly attributes: Attributes;
}

/** What a span records of a call of a tool. */
export interface ToolExecution {
  readonly name: string;
  readonly callId?: string;
  readonly arguments?: JsonValue;
  /** Absent when the recording leaves contents out. */
  readonly result?: string;
}

/** The naming of attributes by one convention. */
export interface SpanConvention {
  readModelCall(span: Span): ModelCall | undefined;
  readToolExecution(span: Span): ToolExecution | undefined;
  /** What a span says of how the run went. */
  readVerdicts(span: Span): RecordedVerdict[];
}

/** The first of some attributes that is a text with something in it. */
export function textOf(attributes: Attributes, ...keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = attributes[key];
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

/**
 * Gives each span what the outermost span that has it, among itself and those around it, has to say;
 * a loop in broken data ends what is around. Takes time in proportion to the spans, however deep.
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

/** When the first of some spans begins; Infinity of none. */
export function earliestStart(spans: Iterable<Span>): number {
  let earliest = Number.POSITIVE_INFINITY;
  for (const { start } of spans) earliest = Math.min(earliest, start);
  return earliest;
}
