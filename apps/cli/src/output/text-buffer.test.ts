import { describe, expect, it } from 'bun:test';
import fc from 'fast-check';
import { TextBuffer } from './text-buffer.ts';

describe('TextBuffer', () => {
  it('joins texts and bytes in UTF-8, also after it is cleared', () => {
    const buffer = new TextBuffer();
    const text = fc.string({ unit: 'grapheme', maxLength: 40_000 });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), text)), (parts) => {
        buffer.clear();
        for (const [isBytes, part] of parts) {
          if (isBytes) buffer.addBytes(Buffer.from(part));
          else buffer.add(part);
        }
        const expected = Buffer.from(parts.map(([, part]) => part).join(''));
        expect(buffer.length).toBe(expected.length);
        expect(Buffer.from(buffer.copy()).equals(expected)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});
