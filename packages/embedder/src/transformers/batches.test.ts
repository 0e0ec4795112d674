import { describe, expect, it } from 'bun:test';
import fc from 'fast-check';
import { batches } from './batches.ts';

const rowsArbitrary = fc
  .array(fc.integer({ min: 1, max: 512 }), { maxLength: 80 })
  .map((lengths) => lengths.map((length, text) => ({ ids: Array<number>(length).fill(7), text })));

describe('batches', () => {
  it('runs every row once, whatever the lengths', () => {
    fc.assert(
      fc.property(rowsArbitrary, fc.integer({ min: 1, max: 40 }), (rows, most) => {
        const texts = batches(rows, most).flatMap((batch) => batch.map(({ text }) => text));
        expect(texts.toSorted((a, b) => a - b)).toEqual(rows.map(({ text }) => text));
      }),
    );
  });

  it('keeps to the number of rows, to a quarter of padding and to 8,192 tokens', () => {
    fc.assert(
      fc.property(rowsArbitrary, fc.integer({ min: 1, max: 40 }), (rows, most) => {
        for (const batch of batches(rows, most)) {
          const lengths = batch.map(({ ids }) => ids.length);
          const area = Math.max(...lengths) * batch.length;
          expect(batch.length).toBeLessThanOrEqual(most);
          expect(area).toBeLessThanOrEqual(8_192);
          expect(lengths.reduce((a, b) => a + b, 0)).toBeGreaterThanOrEqual(0.75 * area);
        }
      }),
    );
  });

  it('puts rows of one length together: 10, 3, 10, 3 at most 2 a batch', () => {
    const rows = [10, 3, 10, 3].map((length, text) => ({
      ids: Array<number>(length).fill(7),
      text,
    }));
    expect(batches(rows, 2).map((batch) => batch.map(({ text }) => text))).toEqual([
      [0, 2],
      [1, 3],
    ]);
  });
});
