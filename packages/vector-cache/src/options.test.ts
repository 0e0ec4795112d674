import { describe, expect, it } from 'bun:test';
import { InvalidTypeError, InvalidValueError } from '@kp/foundation';
import { checkInteger, createMonotonicClock, resolveOptions } from './options.ts';

describe('the options of a cache', () => {
  it('have the defaults that the documentation names', () => {
    const defaults = {
      maxElements: 1000,
      dimensions: 384,
      ttlMs: Infinity,
      now: Date.now,
      embedderId: undefined,
      flat: false,
      engine: undefined,
    };
    expect(resolveOptions()).toStrictEqual(defaults);
    expect(resolveOptions({})).toStrictEqual(defaults);
  });

  it('accept the smallest and largest allowed values', () => {
    const least = { maxElements: 1, dimensions: 1, ttlMs: Number.MIN_VALUE };
    expect(resolveOptions(least)).toMatchObject(least);
    const most = { maxElements: 2_147_483_647, dimensions: 65_536, ttlMs: Infinity };
    expect(resolveOptions(most)).toMatchObject(most);
  });

  it.each([
    [5, InvalidTypeError, 'options: expected an object, received 5'],
    [null, InvalidTypeError, 'options: expected an object, received null'],
    [{ maxElements: 2 ** 31 }, InvalidValueError, 'maxElements: expected an integer from 1 to 214'],
    [{ dimensions: 65_537 }, InvalidValueError, 'dimensions: expected an integer from 1 to 65536'],
    [{ ttlMs: -1 }, InvalidValueError, 'ttlMs: expected milliseconds greater than 0, received -1'],
    [{ flat: 1 }, InvalidTypeError, 'flat: expected a boolean, received 1'],
    [{ engine: 'wasm' }, InvalidValueError, 'engine: expected wasm-simd or typescript, received'],
    [
      { engine: null },
      InvalidValueError,
      'engine: expected wasm-simd or typescript, received null',
    ],
    [{ ttl: 60_000 }, InvalidValueError, 'flat, engine, received "ttl"; did you mean ttlMs?'],
    [{ embedderId: null }, InvalidTypeError, 'embedderId: expected a string, received null'],
  ])('reject %p', (options, type, message) => {
    expect(() => resolveOptions(options as object)).toThrow(type);
    expect(() => resolveOptions(options as object)).toThrow(message);
  });
});

describe('an integer', () => {
  it('may be as large as the largest safe integer by default', () => {
    expect(() => checkInteger('k', Number.MAX_SAFE_INTEGER)).not.toThrow();
    expect(() => checkInteger('k', 2 ** 53)).toThrow('an integer from 1 to 9007199254740991');
    expect(() => checkInteger('k', 3, 3)).not.toThrow();
    expect(() => checkInteger('k', 4, 3)).toThrow('k: expected an integer from 1 to 3, received 4');
    expect(() => checkInteger('k', '3' as never)).toThrow('k: expected a number');
  });
});

describe('a monotonic clock', () => {
  it('stops while the source clock goes back, and then continues with it', () => {
    const readings = [5, 3, 4, 10, 2, 12];
    const clock = createMonotonicClock(() => readings.shift() as number);
    // The backward steps of 2 ms (after 5) and of 8 ms (after 10) are added to all later times.
    expect(Array.from({ length: 6 }, clock)).toEqual([5, 5, 6, 12, 12, 22]);
  });

  it('may start below 0', () => {
    const readings = [-5, -6, -3];
    const clock = createMonotonicClock(() => readings.shift() as number);
    expect(Array.from({ length: 3 }, clock)).toEqual([-5, -5, -2]);
  });

  it.each([Number.NaN, Infinity, -Infinity])('rejects %p', (reading) => {
    expect(createMonotonicClock(() => reading)).toThrow('now(): expected a finite number');
  });
});
