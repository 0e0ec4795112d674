import { describe, expect, it } from 'bun:test';
import fc from 'fast-check';
import { composed } from './composed.ts';

describe('composed', () => {
  it('is NFC for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        // Supplementary characters are left as they are unless something else needs composing.
        fc.pre(!/[\ud800-\udfff]/.test(text));
        expect(composed(text)).toBe(text.normalize('NFC'));
      }),
    );
  });

  it('is NFC for every single code unit and for a letter before it', () => {
    for (let code = 0; code < 0xd800; code++) {
      const text = `e${String.fromCharCode(code)}`;
      if (composed(text) !== text.normalize('NFC')) throw new Error(code.toString(16));
    }
  });
});
