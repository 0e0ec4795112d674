import { describe, expect, it } from 'bun:test';
import fc from 'fast-check';
import { Allocator } from './allocator.ts';

describe('Allocator', () => {
  it('never allocates a block twice and accepts all freed blocks', () => {
    const steps = fc.array(
      fc.record({ bytes: fc.integer({ min: 1, max: 500 }), free: fc.boolean() }),
    );
    fc.assert(
      fc.property(steps, fc.nat(), (all, choice) => {
        let end = 64;
        const allocator = new Allocator(64, 20_000, (wanted) => {
          end = Math.max(end, wanted);
          return true;
        });
        const held: { start: number; bytes: number }[] = [];
        for (const { bytes, free } of all) {
          const start = allocator.allocate(bytes);
          if (start !== undefined) {
            expect(start % 64).toBe(0);
            expect(start + bytes).toBeLessThanOrEqual(20_000);
            for (const other of held) {
              expect(start + bytes <= other.start || other.start + other.bytes <= start).toBe(true);
            }
            held.push({ start, bytes });
          }
          if (free && held.length > 0) {
            const [gone] = held.splice(choice % held.length, 1);
            if (gone !== undefined) allocator.free(gone.start, gone.bytes);
          }
        }
        for (const { start, bytes } of held) allocator.free(start, bytes);
        expect(allocator.used).toBe(0);
        if (end > 64) expect(allocator.allocate(end - 64)).toBe(64);
      }),
    );
  });
});
