import { describe, expect, it } from 'bun:test';
import {
  allocating,
  DimensionMismatchError,
  InvalidTypeError,
  InvalidValueError,
  OutOfMemoryError,
  SnapshotError,
} from './errors.ts';

describe('an error', () => {
  it('carries its code, what was expected and what was received', () => {
    const cause = new Error('below');
    for (const [error, facts] of [
      [
        new DimensionMismatchError('vector', 3, 2),
        { code: 'DIMENSION_MISMATCH', expected: 3, received: 2 },
      ],
      [
        new InvalidTypeError('key', 'a string', 5),
        { code: 'INVALID_TYPE', expected: 'a string', received: '5' },
      ],
      [
        new InvalidValueError('k', 'an integer', 0.5),
        { code: 'INVALID_VALUE', expected: 'an integer', received: '0.5' },
      ],
      [
        new SnapshotError('bytes', '20', '5', { cause }),
        { code: 'INVALID_SNAPSHOT', expected: '20', received: '5', cause },
      ],
      [
        new OutOfMemoryError('a vector', 7, { cause }),
        { code: 'OUT_OF_MEMORY', expected: 'room for a vector', received: 7, cause },
      ],
    ] as const) {
      expect(error).toMatchObject(facts);
      expect(error.name).toBe(error.constructor.name);
    }
    expect(new OutOfMemoryError('a vector', 7).message).toBe(
      'memory: expected room for a vector, received none after 7 vectors; ' +
        'set a smaller maxElements, or flat: true for smaller entries',
    );
  });

  class Ring {}
  it.each([
    ['a'.repeat(40), `the string "${'a'.repeat(40)}"`],
    ['a'.repeat(41), `the string "${'a'.repeat(40)}"`],
    [() => 1, 'a function'],
    [1n, 'a bigint'],
    [null, 'null'],
    [undefined, 'undefined'],
    [false, 'false'],
    [Symbol('a'), 'Symbol(a)'],
    [[1], 'an object (Array)'],
    [new Ring(), 'an object (Ring)'],
    [Object.create(null), 'an object (no prototype)'],
  ])('describes what it received %#', (value, received) => {
    expect(new InvalidTypeError('x', 'y', value).message).toBe(
      `x: expected y, received ${received}`,
    );
  });
});

describe('allocating', () => {
  it('passes on what is made, and what is thrown but for memory', () => {
    expect(allocating('rows', 3, () => 'made')).toBe('made');
    const other = new TypeError('not that');
    const failing = (error: Error) => () => {
      throw error;
    };
    expect(() => allocating('rows', 3, failing(other))).toThrow(other);
    const cause = new RangeError('Array buffer allocation failed');
    expect(() => allocating('rows', 3, failing(cause))).toThrow(
      expect.objectContaining({
        code: 'OUT_OF_MEMORY',
        expected: 'room for rows',
        received: 3,
        cause,
      }),
    );
  });
});
