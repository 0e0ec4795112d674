import { afterEach, describe, expect, it, mock, spyOn } from 'bun:test';
import { assertTexts, sliced, unitVector, withSignal } from './embed-call.ts';

const { setImmediate: soon, setTimeout: wait } = globalThis;
afterEach(() => {
  mock.restore();
  Object.assign(globalThis, { setImmediate: soon, setTimeout: wait });
});

describe('assertTexts', () => {
  it('takes any number of texts', () => {
    expect(() => assertTexts([])).not.toThrow();
    expect(() => assertTexts(['', 'a'])).not.toThrow();
  });

  it.each([
    ['a', 'texts: expected an array of strings, received string'],
    [undefined, 'texts: expected an array of strings, received undefined'],
    [[1, 'a'], 'texts[0]: expected a string, received number'],
    [['a', 'b', null], 'texts[2]: expected a string, received null'],
  ])('refuses %p', (texts, message) => {
    expect(() => assertTexts(texts)).toThrow(TypeError);
    expect(() => assertTexts(texts)).toThrow(message);
  });
});

describe('withSignal', () => {
  it('is the promise itself where there is no signal', () => {
    const promise = Promise.resolve(1);
    expect(withSignal(promise, undefined)).toBe(promise);
  });

  it('settles as the promise does, and then listens no more', async () => {
    const { signal } = new AbortController();
    const added = spyOn(signal, 'addEventListener');
    const removed = spyOn(signal, 'removeEventListener');
    expect(await withSignal(Promise.resolve(1), signal)).toBe(1);
    await expect(withSignal(Promise.reject(new Error('no')), signal)).rejects.toThrow('no');
    await Promise.resolve();
    expect(added).toHaveBeenCalledTimes(2);
    expect(removed.mock.calls.map(([, listener]) => listener)).toEqual(
      added.mock.calls.map(([, listener]) => listener) as never,
    );
  });

  it('rejects with the reason, whether that comes late or was there before', async () => {
    const controller = new AbortController();
    const waiting = withSignal(new Promise(() => undefined), controller.signal);
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await expect(withSignal(Promise.resolve(1), controller.signal)).rejects.toThrow('enough');
  });
});

describe('sliced', () => {
  /** A clock of the test, and how often the event loop was given its turn. */
  function given() {
    const state = { clock: 50, turns: 0, onTurn: (): void => undefined };
    spyOn(performance, 'now').mockImplementation(() => state.clock);
    Object.assign(globalThis, {
      setImmediate(run: () => void) {
        state.turns++;
        state.onTurn();
        run();
      },
    });
    return state;
  }

  it('lets the event loop turn every 8 ms', async () => {
    const state = given();
    const pause = sliced(undefined);
    const turns: number[] = [];
    for (const passed of [0, 7.9, 0.1, 7.9, 0.05, 0.05, 100, 7]) {
      state.clock += passed;
      await pause();
      turns.push(state.turns);
    }
    expect(turns).toEqual([0, 0, 1, 1, 1, 2, 3, 3]);
  });

  it('counts from the end of the turn', async () => {
    const state = given();
    const pause = sliced(undefined);
    state.onTurn = () => {
      state.clock += 20;
    };
    state.clock += 8;
    await pause();
    state.clock += 7;
    await pause();
    expect(state.turns).toBe(1);
  });

  it('rejects when its signal is aborted, also during the turn', async () => {
    const state = given();
    const before = AbortSignal.abort(new Error('too late'));
    await expect(sliced(before)()).rejects.toThrow('too late');
    expect(state.turns).toBe(0);
    const controller = new AbortController();
    state.onTurn = () => controller.abort(new Error('enough'));
    const pause = sliced(controller.signal);
    await pause();
    state.clock += 8;
    await expect(pause()).rejects.toThrow('enough');
  });

  it('has a timer for it where there is no setImmediate', async () => {
    const state = given();
    const waits: number[] = [];
    Object.assign(globalThis, {
      setImmediate: undefined,
      setTimeout(run: () => void, delay: number) {
        waits.push(delay);
        run();
      },
    });
    const pause = sliced(undefined);
    state.clock += 8;
    await pause();
    expect([waits, state.turns]).toEqual([[0], 0]);
  });
});

describe('unitVector', () => {
  it('has length 1 and is a new one, of floats or of doubles', () => {
    const floats = Float32Array.of(3, 0, -4);
    expect(unitVector(floats)).toEqual(Float32Array.of(0.6, 0, -0.8));
    expect(floats).toEqual(Float32Array.of(3, 0, -4));
    expect(unitVector(Float64Array.of(0.5))).toEqual(Float32Array.of(1));
  });

  it('of zeros is zeros', () => {
    expect(unitVector(new Float64Array(3))).toEqual(new Float32Array(3));
  });
});
