import { afterEach, describe, expect, it, mock, spyOn } from 'bun:test';
import { createPause, onAbort, rejectOnAbort, withTimeout } from './bounded-wait.ts';

const never = (): Promise<never> => new Promise(() => undefined);

describe('withTimeout', () => {
  it('passes on a value and a rejection', async () => {
    const unexpected = (): Error => new Error('timed out');
    expect(await withTimeout(Promise.resolve(1), 60_000, unexpected)).toBe(1);
    const broken = new Error('broken');
    expect(withTimeout(Promise.reject(broken), 60_000, unexpected)).rejects.toBe(broken);
  });

  it('rejects with the reason that onTimeout returns, and ignores a later rejection', async () => {
    const late = Promise.withResolvers<number>();
    const reason = new Error('timed out');
    await expect(withTimeout(late.promise, 1, () => reason)).rejects.toBe(reason);
    late.reject(new Error('late'));
    await new Promise((resolve) => setTimeout(resolve, 0));
  });

  it('has no limit above 2³¹ − 1 ms', async () => {
    const wait = withTimeout(never(), Number.POSITIVE_INFINITY, () => new Error('timed out'));
    const other = new Promise((resolve) => setTimeout(resolve, 5, 'still waiting'));
    expect(await Promise.race([wait, other])).toBe('still waiting');
  });
});

describe('rejectOnAbort', () => {
  it('passes on a value and removes its listener', async () => {
    const { signal } = new AbortController();
    const removed: string[] = [];
    signal.removeEventListener = (type: string) => void removed.push(type);
    expect(await rejectOnAbort(Promise.resolve(1), signal)).toBe(1);
    expect(await rejectOnAbort(Promise.resolve(2), undefined)).toBe(2);
    expect(removed).toEqual(['abort']);
  });

  it('rejects with the reason of the signal, before or after the abort', async () => {
    const controller = new AbortController();
    const reason = new Error('stopped');
    const waiting = rejectOnAbort(never(), controller.signal);
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await expect(rejectOnAbort(never(), controller.signal)).rejects.toBe(reason);
  });
});

describe('onAbort', () => {
  it('calls every remaining listener through one event listener of the signal', () => {
    const controller = new AbortController();
    const { signal } = controller;
    const added = spyOn(signal, 'addEventListener');
    const calls: number[] = [];
    const stops = Array.from({ length: 100 }, (_, at) => onAbort(signal, () => calls.push(at)));
    for (const stop of stops.slice(3)) stop();
    expect(added).toHaveBeenCalledTimes(1);
    controller.abort();
    expect(calls).toEqual([0, 1, 2]);
  });

  it('removes its event listener with the last listener and adds it again later', () => {
    const controller = new AbortController();
    const { signal } = controller;
    const removed = spyOn(signal, 'removeEventListener');
    const stops = [onAbort(signal, () => undefined), onAbort(signal, () => undefined)];
    stops[0]?.();
    stops[0]?.();
    expect(removed).toHaveBeenCalledTimes(0);
    stops[1]?.();
    expect(removed).toHaveBeenCalledTimes(1);
    let calls = 0;
    onAbort(signal, () => calls++);
    controller.abort();
    onAbort(signal, () => calls++);
    expect(calls).toBe(2);
  });
});

const { setImmediate, setTimeout } = globalThis;
let clock = 100;

afterEach(() => {
  mock.restore();
  Object.assign(globalThis, { setImmediate, setTimeout });
});

/** Records what `pause` waits for when it is called after each of these milliseconds. */
async function waitsFor(
  milliseconds: readonly number[],
  ...[signal, sliceMs]: Parameters<typeof createPause>
): Promise<string[]> {
  const waits: string[] = [];
  spyOn(performance, 'now').mockImplementation(() => clock);
  const waiting = (name: string) => (run: () => void) => {
    waits.push(name);
    run();
  };
  const hasImmediate = Reflect.get(globalThis, 'setImmediate') !== undefined;
  if (hasImmediate) Object.assign(globalThis, { setImmediate: waiting('immediate') });
  Object.assign(globalThis, { setTimeout: waiting('timer') });
  const pause = createPause(signal, sliceMs);
  for (const each of milliseconds) {
    clock += each;
    await pause();
    waits.push(`${each}`);
  }
  return waits;
}

it('waits for the next task every 10 ms', async () => {
  expect(await waitsFor([5, 4, 1, 9, 1])).toEqual([
    '5',
    '4',
    'immediate',
    '1',
    '9',
    'immediate',
    '1',
  ]);
});

it('waits less often with longer slices', async () => {
  expect(await waitsFor([10, 39, 1], undefined, 50)).toEqual(['10', '39', 'immediate', '1']);
});

it('waits for a timer without setImmediate', async () => {
  Object.assign(globalThis, { setImmediate: undefined });
  expect(await waitsFor([10])).toEqual(['timer', '10']);
});

it('rejects with the reason of an aborted signal', async () => {
  const signal = AbortSignal.abort(new Error('enough'));
  await expect(waitsFor([10], signal)).rejects.toThrow('enough');
});
