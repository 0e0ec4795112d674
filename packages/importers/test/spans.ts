/** A span in the notation of the tests; times are in milliseconds. */
export interface TestSpan {
  readonly id: string;
  readonly parent?: string;
  readonly name: string;
  readonly at: readonly [start: number, end: number];
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly events?: readonly { name: string; attributes: Readonly<Record<string, unknown>> }[];
  readonly failed?: boolean;
}

const TRACE = 'bc07807133692d12e4268dc007ef9a19';
const EPOCH = 1_771_835_343_000;

/** Converts spans to OTLP JSON, in one batch. */
export function otlp(
  spans: readonly TestSpan[],
  traceId: string = TRACE,
  shared: Readonly<Record<string, unknown>> = { 'service.name': 'shop' },
): object {
  const list = spans.map(({ id, parent, name, at, attributes, events, failed }) => ({
    traceId,
    spanId: id,
    ...(parent === undefined ? {} : { parentSpanId: parent }),
    name,
    startTimeUnixNano: `${EPOCH + at[0]}000000`,
    endTimeUnixNano: `${EPOCH + at[1]}000000`,
    attributes: keyValues(attributes ?? {}),
    events: (events ?? []).map((event) => ({
      name: event.name,
      attributes: keyValues(event.attributes),
    })),
    status: failed ? { code: 2 } : {},
  }));
  const resource = { attributes: keyValues(shared) };
  return { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'x' }, spans: list }] }] };
}

/** Converts the same spans to Jaeger's JSON. */
export function jaeger(spans: readonly TestSpan[]): object {
  const list = spans.map(({ id, parent, name, at, attributes, events, failed }) => ({
    traceID: TRACE,
    spanID: id,
    operationName: name,
    references:
      parent === undefined ? [] : [{ refType: 'CHILD_OF', traceID: TRACE, spanID: parent }],
    startTime: (EPOCH + at[0]) * 1000,
    duration: (at[1] - at[0]) * 1000,
    tags: [...tags(attributes ?? {}), ...(failed ? tags({ 'otel.status_code': 'ERROR' }) : [])],
    logs: (events ?? []).map((event) => ({
      timestamp: 0,
      fields: tags({ event: event.name, ...event.attributes }),
    })),
    processID: 'p1',
  }));
  return {
    data: [{ traceID: TRACE, spans: list, processes: { p1: { serviceName: 'shop', tags: [] } } }],
  };
}

function tags(attributes: Readonly<Record<string, unknown>>): object[] {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    type: typeof value,
    value: typeof value === 'object' ? JSON.stringify(value) : value,
  }));
}

function keyValues(attributes: Readonly<Record<string, unknown>>): object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }));
}

function anyValue(value: unknown): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number')
    return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } };
  return { kvlistValue: { values: keyValues(value as Record<string, unknown>) } };
}
