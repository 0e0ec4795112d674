import { afterEach, expect, it, mock, spyOn } from 'bun:test';
import { createPause } from './pause.ts';

const { setImmediate, setTimeout } = globalThis;
let clock = 100;

afterEach(() => {
  mock.restore();
  Object.assign(globalThis, { setImmediate, setTimeout });
});

/** Records what `pause` waits for when it is called after each of these milliseconds. */
async function waitsFor(milliseconds: readonly number[], signal?: AbortSignal): Promise<string[]> {
  const waits: string[] = [];
  spyOn(performance, 'now').mockImplementation(() => clock);
  const waiting = (name: string) => (run: () => void) => {
    waits.push(name);
    run();
  };
  const hasImmediate = Reflect.get(globalThis, 'setImmediate') !== undefined;
  if (hasImmediate) Object.assign(globalThis, { setImmediate: waiting('immediate') });
  Object.assign(globalThis, { setTimeout: waiting('timer') });
  const pause = createPause(signal);
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

it('waits for a timer without setImmediate', async () => {
  Object.assign(globalThis, { setImmediate: undefined });
  expect(await waitsFor([10])).toEqual(['timer', '10']);
});

it('rejects with the reason of an aborted signal', async () => {
  const signal = AbortSignal.abort(new Error('enough'));
  await expect(waitsFor([10], signal)).rejects.toThrow('enough');
});
