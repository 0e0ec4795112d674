import { afterEach, describe, expect, it } from 'bun:test';
import { inTime, isPromise, LONGEST_TIMER_MS, lazySignal, letProcessEnd } from './operation.ts';

const real = { setTimeout, clearTimeout, setImmediate: Reflect.get(globalThis, 'setImmediate') };
afterEach(() => void Object.assign(globalThis, real));

/** Timers that never go off by themselves. */
function heldTimers(): Map<number, { readonly delay: number; readonly run: () => void }> {
  const timers = new Map<number, { readonly delay: number; readonly run: () => void }>();
  let last = 0;
  Object.assign(globalThis, {
    setTimeout(run: () => void, delay: number): number {
      timers.set(++last, { delay, run });
      return last;
    },
    clearTimeout: (timer: number) => timers.delete(timer),
  });
  return timers;
}

const never = (): Promise<never> => new Promise(() => undefined);

describe('the longest timer', () => {
  it('is the largest 32-bit integer', () => expect(LONGEST_TIMER_MS).toBe(2_147_483_647));
});

describe('lazySignal', () => {
  it('is one signal, however often it is looked at, before and after it is aborted', () => {
    const lazy = lazySignal();
    const { signal } = lazy;
    expect(signal.aborted).toBe(false);
    expect(lazy.signal).toBe(signal);
    lazy.abort('enough');
    expect([signal.aborted, signal.reason]).toEqual([true, 'enough']);
    expect(lazy.signal).toBe(signal);
  });

  it('is aborted when it is first looked at after that', () => {
    const lazy = lazySignal();
    lazy.abort('enough');
    expect([lazy.signal.aborted, lazy.signal.reason]).toEqual([true, 'enough']);
  });
});

describe('inTime', () => {
  it('passes on what comes, and stops its timer', async () => {
    const timers = heldTimers();
    expect(await inTime('store', 50, Promise.resolve(7), lazySignal())).toBe(7);
    const failure = inTime('store', 50, Promise.reject(new Error('gone')), lazySignal());
    expect([...timers.values()].map(({ delay }) => delay)).toEqual([50]);
    await expect(failure).rejects.toThrow('gone');
    expect(timers.size).toBe(0);
  });

  it('rejects at its time, and says so to whom it asked', async () => {
    const timers = heldTimers();
    const lazy = lazySignal();
    const answer = inTime('store', 50, never(), lazy);
    for (const { run } of timers.values()) run();
    const error = await answer.catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'OPERATION_TIMEOUT',
      expected: 'an answer within 50 ms',
    });
    expect(lazy.signal.reason).toBe(error as never);
  });

  it('has no timer where that cannot be so long', () => {
    const timers = heldTimers();
    void inTime('store', LONGEST_TIMER_MS, never(), lazySignal());
    expect(timers.size).toBe(1);
    void inTime('store', LONGEST_TIMER_MS + 1, never(), lazySignal());
    expect(timers.size).toBe(1);
  });
});

describe('isPromise', () => {
  it.each([
    [Promise.resolve(), true],
    // biome-ignore lint/suspicious/noThenProperty: whoever has one is taken for a promise.
    [{ then: () => undefined }, true],
    [{}, false],
    [null, false],
    [undefined, false],
    [5, false],
    ['then', false],
  ])('of %p is %p', (value, expected) => expect(isPromise<unknown>(value)).toBe(expected));
});

describe('letProcessEnd', () => {
  it('tells a timer that can be told, and leaves those of a browser alone', () => {
    let told = 0;
    const timer = {
      count: 1,
      unref() {
        told += this.count;
      },
    };
    letProcessEnd(timer);
    expect(told).toBe(1);
    for (const other of [undefined, null, 5, {}, { unref: 5 }]) {
      expect(() => letProcessEnd(other)).not.toThrow();
    }
  });
});
