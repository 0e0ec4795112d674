import { describe, expect, it } from 'bun:test';
import { readObjects } from './read-objects.ts';

const read = (objects: unknown) => Array.fromAsync(readObjects(objects));

describe('readObjects', () => {
  it('yields one object as a separate document', async () => {
    expect(await read({ a: 1 })).toEqual([
      { line: 1, endLine: 1, document: 0, index: undefined, value: { a: 1 } },
    ]);
    const names = new Map([
      ['a', 1],
      ['b', 2],
    ]);
    for (const whole of [Promise.resolve(names), Uint16Array.of(1, 2), 'ab', 5]) {
      expect(await read(whole)).toMatchObject([{ line: 1, document: 0 }]);
    }
  });

  it('numbers the objects of a list by line and index, and yields a nested array as a document', async () => {
    expect(await read([{ a: 1 }, [{ b: 2 }], undefined, { c: 3 }])).toEqual([
      { line: 1, endLine: 1, document: 0, index: 0, value: { a: 1 } },
      { line: 2, endLine: 2, document: 2, index: undefined, value: [{ b: 2 }] },
      { line: 3, error: expect.objectContaining({ code: 'UNKNOWN_FORMAT' }) },
      { line: 4, endLine: 4, document: 0, index: 3, value: { c: 3 } },
    ]);
  });
});
