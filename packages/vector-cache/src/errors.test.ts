import { describe, expect, it } from 'bun:test';
import { allocating, DimensionMismatchError, OutOfMemoryError, SnapshotError } from './errors.ts';

describe('an error', () => {
  it('contains its code and the expected and received values', () => {
    const cause = new Error('below');
    for (const [error, facts] of [
      [
        new DimensionMismatchError('vector', 3, 2),
        { code: 'DIMENSION_MISMATCH', expected: 3, received: 2 },
      ],
      [
        new SnapshotError('bytes', '20', '5', cause),
        { code: 'INVALID_SNAPSHOT', expected: '20', received: '5', cause },
      ],
      [
        new OutOfMemoryError('a vector', 7, cause),
        {
          code: 'OUT_OF_MEMORY',
          expected: 'room for a vector',
          received: 'none after 7 vectors',
          cause,
        },
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
});

describe('allocating', () => {
  it('passes on results and all errors except out-of-memory errors', () => {
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
        received: 'none after 3 vectors',
        cause,
      }),
    );
  });
});
