import {
  asName,
  asObjects,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../json/json-value.ts';
import type { Attributes, Span, SpanEvent } from './span.ts';

/** The traces in Jaeger's JSON, or a value that is one; undefined when it is neither. */
export function jaegerTraces(value: JsonObject): JsonObject[] | undefined {
  const traces = Array.isArray(value.data) ? asObjects(value.data) : [value];
  const areTraces = traces.every((trace) => 'traceID' in trace && Array.isArray(trace.spans));
  return areTraces && traces.length > 0 ? traces : undefined;
}

/** The spans of one trace of Jaeger's. */
export function readJaegerTrace(trace: JsonObject): Span[] {
  const processes = isJsonObject(trace.processes) ? trace.processes : {};
  return asObjects(trace.spans).map((span) => {
    const process = processes[asName(span.processID)];
    return readSpan(span, isJsonObject(process) ? process : {});
  });
}

function readSpan(span: JsonObject, process: JsonObject): Span {
  const own = readTags(span.tags);
  const parent = asObjects(span.references).find(({ refType }) => refType === 'CHILD_OF');
  const parentId = asName(parent?.spanID);
  const service = process.serviceName === undefined ? {} : { 'service.name': process.serviceName };
  return {
    traceId: asName(span.traceID),
    spanId: asName(span.spanID),
    ...(parentId === '' ? {} : { parentId }),
    name: asName(span.operationName),
    start: microseconds(span.startTime) / 1000,
    end: (microseconds(span.startTime) + microseconds(span.duration)) / 1000,
    attributes: { ...service, ...readTags(process.tags), ...own },
    events: asObjects(span.logs).map(readLog),
    failed: own['otel.status_code'] === 'ERROR' || own.error === true || own.error === 'true',
  };
}

function readLog({ fields }: JsonObject): SpanEvent {
  const attributes = readTags(fields);
  return { name: asName(attributes.event ?? attributes.name), attributes };
}

function readTags(list: JsonValue | undefined): Attributes {
  return Object.fromEntries(asObjects(list).map(({ key, value }) => [asName(key), value ?? null]));
}

function microseconds(value: JsonValue | undefined): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}
