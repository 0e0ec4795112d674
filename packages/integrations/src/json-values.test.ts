import { describe, expect, it } from 'bun:test';
import fc from 'fast-check';
import { asText, toJson } from './json-values.ts';

describe('toJson', () => {
  it('is what JSON makes of it, for what JSON can say', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        // JSON knows no negative zero.
        const plain = JSON.parse(JSON.stringify(value));
        expect(JSON.parse(JSON.stringify(toJson(value)))).toEqual(plain);
      }),
    );
  });

  it('takes anything, and throws nothing', () => {
    fc.assert(
      fc.property(
        fc.anything({
          withBigInt: true,
          withDate: true,
          withMap: true,
          withSet: true,
          withTypedArray: true,
          withNullPrototype: true,
        }),
        (value) => {
          expect(typeof JSON.stringify(toJson(value))).toBe('string');
        },
      ),
    );
  });

  it('names what has no JSON', () => {
    const circular: Record<string, unknown> = { id: 12n, at: new Date(0) };
    circular.self = circular;
    circular.get = () => 1;
    Object.defineProperty(circular, 'broken', {
      enumerable: true,
      get() {
        throw new Error('no');
      },
    });
    expect(toJson(circular)).toEqual({
      id: '12',
      at: '1970-01-01T00:00:00.000Z',
      self: '[circular]',
      get: null,
      broken: '[unreadable]',
    });
    const refusing = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('no');
        },
      },
    );
    expect(toJson([refusing, new Map([[1, 2]]), Number.NaN])).toEqual([
      '[unreadable]',
      [[1, 2]],
      null,
    ]);
    let deep: unknown = 1;
    for (let level = 0; level < 10_000; level++) deep = [deep];
    expect(JSON.stringify(toJson(deep))).toContain('[too deep]');
  });

  it('gives the same object twice where it stands twice', () => {
    const shared = { a: 1 };
    expect(toJson([shared, shared])).toEqual([{ a: 1 }, { a: 1 }]);
  });

  it('writes errors as their message', () => {
    expect(asText(new TypeError('not a port'))).toBe('TypeError: not a port');
  });
});
