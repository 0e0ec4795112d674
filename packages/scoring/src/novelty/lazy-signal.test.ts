import { describe, expect, it } from 'bun:test';
import { boundOperation, createLazySignal } from './lazy-signal.ts';

describe('createLazySignal', () => {
  it('returns the same signal before and after the abort', () => {
    const lazySignal = createLazySignal();
    const { signal } = lazySignal;
    expect(signal.aborted).toBe(false);
    lazySignal.abort('enough');
    expect([signal.aborted, signal.reason]).toEqual([true, 'enough']);
    expect(lazySignal.signal).toBe(signal);
  });

  it('is aborted on first use if it was aborted before', () => {
    const lazySignal = createLazySignal();
    lazySignal.abort('enough');
    expect([lazySignal.signal.aborted, lazySignal.signal.reason]).toEqual([true, 'enough']);
  });
});

it('boundOperation rejects on timeout and aborts the operation', async () => {
  const lazySignal = createLazySignal();
  const never = new Promise(() => undefined);
  const answer = boundOperation('store', 1, never, lazySignal);
  const error = await answer.catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'OPERATION_TIMEOUT', expected: 'an answer within 1 ms' });
  expect(lazySignal.signal.reason).toBe(error as never);
});
