import { describe, expect, it } from 'bun:test';
import fc from 'fast-check';
import { type Segment, SegmentRing, type SegmentSource } from './segment-ring.ts';

/** Segments of numbers, read in the same order as by the kernel. */
class Numbers implements SegmentSource {
  readonly rows = new Map<number, number[]>();
  readonly next = new Map<number, Segment>();
  /** Number of rows in all existing segments. */
  room = 0;
  #start = 0;

  create(rows: number): Segment {
    this.rows.set(this.#start, []);
    this.room += rows;
    return { start: this.#start++, rows, capacity: rows };
  }

  destroy(segment: Segment): void {
    if (!this.rows.delete(segment.start)) throw new Error('a segment is given back twice');
    this.room -= segment.rows;
  }

  link(segments: readonly Segment[]): void {
    for (const [index, segment] of segments.entries()) {
      this.next.set(segment.start, segments[(index + 1) % segments.length]);
    }
  }

  move(from: Segment, fromRow: number, to: Segment, toRow: number): void {
    if (from === to && fromRow === toRow) throw new Error('a row is moved to where it is');
    const value = this.rows.get(from.start)?.[fromRow] as number;
    (this.rows.get(to.start) as number[])[toRow] = value;
  }

  walk(ring: SegmentRing): number[] {
    const values: number[] = [];
    let segment = ring.segments[0];
    for (let row = ring.head; values.length < ring.size && segment !== undefined; row++) {
      if (row === segment.rows) {
        segment = this.next.get(segment.start) as Segment;
        row = 0;
      }
      values.push(this.rows.get(segment.start)?.[row] as number);
    }
    return values;
  }
}

describe('SegmentRing', () => {
  it('agrees with a list for any adds and drops and uses little extra memory', () => {
    const step = fc.record({ adds: fc.nat(400), drops: fc.nat(400) });
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 20 }),
        fc.integer({ min: 1, max: 900 }),
        (steps, max) => {
          const source = new Numbers();
          const ring = new SegmentRing(source, max);
          let list: number[] = [];
          let value = 0;
          for (const { adds, drops } of steps) {
            for (let index = 0; index < adds; index++) {
              if (ring.size === max) ring.drop(1);
              if (ring.needsSegment) ring.reserve();
              const segment = ring.push();
              (source.rows.get(segment.start) as number[])[ring.tail - 1] = value;
              list = [...list, value++].slice(-max);
            }
            const gone = Math.min(drops, list.length);
            ring.drop(gone);
            list = list.slice(gone);
            expect(source.walk(ring)).toEqual(list);
            expect(ring.capacity).toBe(source.room);
            expect(ring.capacity).toBeLessThanOrEqual(max);
            if (list.length === 0) expect(source.rows.size).toBeLessThanOrEqual(2);
          }
        },
      ),
    );
  });

  it('agrees with a list if rows are removed from the middle and the limit is raised', () => {
    const step = fc.record({
      adds: fc.nat(300),
      drops: fc.nat(100),
      erased: fc.nat(9),
      raise: fc.option(fc.nat(500), { freq: 3 }),
    });
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 20 }),
        fc.integer({ min: 1, max: 900 }),
        (steps, max) => {
          const source = new Numbers();
          const ring = new SegmentRing(source, max);
          let list: number[] = [];
          let value = 0;
          for (const { adds, drops, erased, raise } of steps) {
            for (let index = 0; index < adds; index++) {
              if (ring.size === ring.limit) {
                ring.drop(1);
                list.shift();
              }
              if (ring.needsSegment) ring.reserve();
              const segment = ring.push();
              (source.rows.get(segment.start) as number[])[ring.tail - 1] = value;
              list.push(value++);
            }
            if (raise !== null) ring.raiseLimit(ring.limit + raise);
            expect(source.walk(ring)).toEqual(list);
            ring.compact((position) => list[position] % 10 < erased);
            list = list.filter((each) => each % 10 >= erased);
            ring.drop(Math.min(drops, list.length));
            list = list.slice(Math.min(drops, list.length));
            expect(source.walk(ring)).toEqual(list);
            expect(ring.size).toBe(list.length);
            expect(ring.capacity).toBe(source.room);
          }
          ring.clear();
          ring.clear();
          expect(source.room).toBe(0);
        },
      ),
    );
  });

  it('keeps the number of segments proportional to the live rows', () => {
    const ring = new SegmentRing(new Numbers(), 1_000_000);
    for (let value = 0; value < 100_000; value++) {
      if (ring.needsSegment) ring.reserve();
      ring.push();
      if (ring.size > 50) ring.drop(1);
    }
    expect(ring.capacity).toBeLessThan(5000);
  });
});
