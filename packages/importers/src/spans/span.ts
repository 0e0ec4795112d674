import type { ErrorSign, RecordedVerdict } from '../importer.ts';
import { isNestedDeeper, type JsonValue } from '../json/json-value.ts';

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
}

/** Attributes by their full key, `gen_ai.tool.name`. */
export type Attributes = Readonly<Record<string, JsonValue>>;

/** Something noted at a moment of a span. */
export interface SpanEvent {
  readonly name: string;
  readonly attributes: Attributes;
}

/** One message of a model call. */
export interface SpanMessage {
  readonly role: string;
  readonly parts: readonly MessagePart[];
}

export type MessagePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string }
  | {
      readonly kind: 'call';
      readonly id?: string;
      readonly name: JsonValue | undefined;
      readonly arguments: JsonValue | undefined;
    }
  | {
      readonly kind: 'result';
      readonly id?: string;
      readonly content: string;
      readonly error?: ErrorSign;
    }
  /** A picture or other part without text. */
  | { readonly kind: 'other'; readonly type: string };

/** What a span records of a call of a model. */
export interface ModelCall {
  readonly inputs: readonly SpanMessage[];
  readonly outputs: readonly SpanMessage[];
  readonly responseId?: string;
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

/** A call of a model; undefined when nothing of what was said is recorded. */
export function modelCall(
  inputs: readonly SpanMessage[],
  outputs: readonly SpanMessage[],
): ModelCall | undefined {
  return inputs.length + outputs.length === 0 ? undefined : { inputs, outputs };
}

/** The first of some attributes that is a text with something in it. */
export function textOf(attributes: Attributes, ...keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = attributes[key];
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

/** An attribute's value, parsed where it is the JSON of an object or array. */
export function parseAttribute(value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    const parsed: JsonValue = JSON.parse(value);
    return isNestedDeeper(parsed) ? value : parsed;
  } catch {
    return value;
  }
}

/** Groups values by a key, in the order in which the keys first come. */
export function groupBy<Value>(
  values: readonly Value[],
  keyOf: (value: Value) => string,
): Map<string, Value[]> {
  const groups = new Map<string, Value[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
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
