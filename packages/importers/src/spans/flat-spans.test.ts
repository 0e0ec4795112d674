import { describe, expect, it } from 'bun:test';
import { isFlatSpan, listedSpans, readFlatSpan } from './flat-spans.ts';

const ids = { trace_id: '0xt', span_id: 's' };

describe('isFlatSpan', () => {
  it.each([
    [{ name: 'f', ...ids }, true],
    [{ name: 'f', traceId: 't', spanId: 's' }, true],
    [{ name: 'f', spanContext: { traceId: 't', spanId: 's' } }, true],
    [{ name: 'f', context: ids }, true],
    [{ name: 'f', 'context.trace_id': 't', 'context.span_id': 's' }, true],
    [{ name: 'f', traceId: 't', id: 's' }, true],
    [{ name: 'f', trace_id: 't' }, false],
    [{ name: 'f', span_id: 's' }, false],
    [{ name: 'f', id: 's' }, false],
    [{ name: 5, ...ids }, false],
    [ids, false],
    [null, false],
  ])('of %j is %p', (value, expected) => {
    expect(isFlatSpan(value)).toBe(expected);
  });
});

describe('listedSpans', () => {
  it('are all the spans of a list, or none', () => {
    const span = { name: 'f', ...ids };
    expect(listedSpans({ spans: [span, span] })).toEqual([span, span]);
    expect(listedSpans({ spans: [span, { name: 'f' }] })).toBeUndefined();
    expect(listedSpans({ spans: [] })).toBeUndefined();
    expect(listedSpans({ spans: span })).toBeUndefined();
    expect(listedSpans({ spans: [span], traceID: 't' })).toBeUndefined();
  });
});

describe('readFlatSpan', () => {
  const read = (fields: object) => readFlatSpan({ name: 'f', ...ids, ...fields } as never);

  it('takes its ids without what marks them as hexadecimal, the context first', () => {
    expect(read({})).toMatchObject({ traceId: 't', spanId: 's', parentId: undefined });
    const spanContext = { traceId: '0xother', spanId: 'own' };
    expect(read({ spanContext, parent_id: '0xp' })).toMatchObject({
      ...{ traceId: 'other', spanId: 'own', parentId: 'p' },
    });
    expect(read({ parentSpanContext: { spanId: '0xq' } }).parentId).toBe('q');
  });

  it.each([
    // Seconds and nanoseconds, nanoseconds, microseconds, milliseconds, or a date of UTC.
    [[1, 500_000_000], 1500],
    [1_700_000_000_000_000_000, 1_700_000_000_000],
    [1_700_000_000_000_000, 1_700_000_000_000],
    [1_700_000_000_000, 1_700_000_000_000],
    ['1700000000000000000', 1_700_000_000_000],
    ['1970-01-01 00:00:02', 2000],
    ['1970-01-01T01:00:02+01:00', 2000],
    ['never', 0],
    [Number.POSITIVE_INFINITY, 0],
    [undefined, 0],
  ])('takes %j for %p ms', (start_time, start) => {
    expect(read({ start_time }).start).toBe(start);
  });

  it.each([
    [{ status: { code: 2 } }, true],
    [{ status: { status_code: 'ERROR' } }, true],
    [{ status: 'STATUS_CODE_ERROR' }, true],
    [{ status_code: 'StatusCode.ERROR' }, true],
    [{ status: { code: 1 } }, false],
    [{ status: 'no error' }, false],
    [{}, false],
  ])('reads from %j whether it failed: %p', (fields, failed) => {
    expect(read(fields).failed).toBe(failed);
  });
});
