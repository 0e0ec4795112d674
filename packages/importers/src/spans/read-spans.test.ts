import { describe, expect, it } from 'bun:test';
import { readSpans } from './read-spans.ts';

const jaeger = (fields: object) =>
  readSpans({
    data: [{ traceID: 't', spans: [{ traceID: 't', spanID: 's', operationName: 'f', ...fields }] }],
  } as never)[0];

describe('readSpans of Jaeger', () => {
  it('reads microseconds, and an invalid time as 0', () => {
    expect(jaeger({ startTime: 2500, duration: 500 })).toMatchObject({ start: 2.5, end: 3 });
    expect(jaeger({ startTime: '2500' })).toMatchObject({ start: 0, end: 0 });
    // 1e999 in JSON.
    expect(jaeger({ startTime: Number.POSITIVE_INFINITY })).toMatchObject({ start: 0, end: 0 });
  });

  it.each([
    [[{ key: 'error', value: true }], true],
    [[{ key: 'error', value: 'true' }], true],
    [[{ key: 'error', value: false }], false],
    [[{ key: 'otel.status_code', value: 'ERROR' }], true],
    [[{ key: 'otel.status_code', value: 'OK' }], false],
  ])('reads the failure from tags %j', (tags, failed) => {
    expect(jaeger({ tags })?.failed).toBe(failed);
  });
});

describe('readSpans of OTLP', () => {
  const otlp = (fields: object) =>
    readSpans({
      resourceSpans: [{ scopeSpans: [{ spans: [{ traceId: 't', spanId: 's', ...fields }] }] }],
    } as never)[0];

  it.each([
    ['1999', 0.001],
    ['2000', 0.002],
    // 64 bits have at most 20 digits.
    ['18446744073709551615', 18446744073709.551],
    ['118446744073709551615', 0],
    ['1e3', 0],
    [1499, 0.001],
    [1500, 0.002],
    [null, 0],
  ])('reads %j nanoseconds as %p ms', (startTimeUnixNano, start) => {
    expect(otlp({ startTimeUnixNano })?.start).toBe(start);
  });

  it.each([
    [{ code: 2 }, true],
    [{ code: 'STATUS_CODE_ERROR' }, true],
    [{ code: 'ERROR' }, true],
    [{ code: 1 }, false],
    [{ code: 3 }, false],
    [undefined, false],
  ])('reads the failure from the status %j', (status, failed) => {
    expect(otlp({ status })?.failed).toBe(failed);
  });
});
