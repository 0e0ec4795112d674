/** A span of OTLP JSON, half a second long, at a second from 0 to 9. */
export const span = (
  spanId: string,
  name: string,
  second: number,
  attributes: Readonly<Record<string, unknown>>,
  parentSpanId?: string,
): object => ({
  traceId: 'bc07807133692d12e4268dc007ef9a19',
  spanId,
  parentSpanId,
  name,
  startTimeUnixNano: `176732304${second}000000000`,
  endTimeUnixNano: `176732304${second}500000000`,
  attributes: Object.entries(attributes).map(([key, value]) => ({
    key,
    value: { stringValue: typeof value === 'string' ? value : JSON.stringify(value) },
  })),
});
/** A file of OTLP JSON. */
export const otlp = (...spans: readonly object[]): string =>
  JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
