import { describe, expect, it, spyOn } from 'bun:test';
import { refusingMemory } from '../test/refusals.ts';
import { Arena, rotationFactors } from './arena.ts';
import type { Kernel } from './kernel.ts';

const PAGE = 65_536;
const FIRST = 1024;

function arenaOf(initial: number, maximum = 65_536) {
  const bound: number[][] = [];
  const kernel = { bind: (...args: number[]) => void bound.push(args) } as unknown as Kernel;
  return { arena: new Arena(new WebAssembly.Memory({ initial, maximum }), kernel), bound };
}

// A module of its own: caches of other tests may share an arena meanwhile.
const apart = './arena.ts?apart';
const { chooseArena, releaseArena } = (await import(apart)) as typeof import('./arena.ts');

describe('chooseArena', () => {
  it('gives caches up to 16 MB the one that they share, and each beyond it one of its own', () => {
    const shared = chooseArena(0, undefined);
    expect(shared?.bytes).toBe(PAGE);
    expect(chooseArena(16 * 2 ** 20, undefined)).toBe(shared as Arena);
    expect(chooseArena(16 * 2 ** 20, shared)).toBe(shared as Arena);
    const [own, other] = [shared, undefined].map((from) => chooseArena(16 * 2 ** 20 + 1, from));
    expect(own).not.toBe(shared as Arena);
    expect(own).not.toBe(other as Arena);
    // Who has one keeps it, however little it needs.
    expect(chooseArena(2 ** 30, own)).toBe(own as Arena);
    expect(chooseArena(0, own)).toBe(own as Arena);
  });

  it('keeps what is shared up to 1 MB, when nothing is left in it', () => {
    const grown = (bytes: number) => {
      const arena = chooseArena(0, undefined) as Arena;
      const start = arena.allocate(bytes - FIRST) as number;
      expect(arena.bytes).toBe(bytes);
      releaseArena(arena);
      expect(chooseArena(0, undefined)).toBe(arena);
      arena.free(start, bytes - FIRST);
      releaseArena(arena);
      return chooseArena(0, undefined) === arena;
    };
    expect(grown(2 ** 20)).toBe(true);
    expect(grown(2 ** 20 + 3 * PAGE)).toBe(false);
  });
});

describe('Arena', () => {
  it('has memory for all that it hands out, to the last byte of a page', () => {
    const { arena } = arenaOf(1);
    expect(arena.allocate(PAGE - FIRST)).toBe(FIRST);
    expect(arena.bytes).toBe(PAGE);
    expect(arena.allocate(64 * PAGE)).toBe(PAGE);
    expect(arena.bytes).toBe(65 * PAGE);
    expect(arena.allocate(1)).toBe(65 * PAGE);
    expect(arena.bytes).toBeGreaterThan(65 * PAGE);
  });

  it('grows by an eighth, or by what it needs where that is more', () => {
    const { arena } = arenaOf(80);
    arena.allocate(80 * PAGE - FIRST);
    arena.allocate(PAGE);
    expect(arena.bytes).toBe(90 * PAGE);
    arena.allocate(20 * PAGE);
    // 11 are missing, and an eighth of 90 is 11.25.
    expect(arena.bytes).toBe(102 * PAGE);
    arena.allocate(100 * PAGE);
    expect(arena.bytes).toBe(201 * PAGE);
  });

  it('takes what it needs where an eighth is refused, and nothing where that is', () => {
    const { arena } = arenaOf(80, 85);
    arena.allocate(80 * PAGE - FIRST);
    expect(arena.allocate(6 * PAGE)).toBeUndefined();
    expect(arena.bytes).toBe(80 * PAGE);
    expect(arena.allocate(5 * PAGE)).toBe(80 * PAGE);
    expect(arena.bytes).toBe(85 * PAGE);
    expect(arena.allocate(64)).toBeUndefined();
  });

  it('asks for less once, where it had asked for more', () => {
    for (const [pages, asked] of [
      [1, 2],
      [10, 1],
      [11, 1],
    ] as const) {
      const { arena } = arenaOf(80);
      arena.allocate(80 * PAGE - FIRST);
      const all = () => expect(arena.allocate(pages * PAGE)).toBeUndefined();
      expect(refusingMemory(() => true, all)).toBe(asked);
    }
  });

  it('leaves the last page of the addresses alone', () => {
    const { arena } = arenaOf(1);
    const room = 65_535 * PAGE - FIRST;
    const asking = (bytes: number) => () => expect(arena.allocate(bytes)).toBeUndefined();
    expect(refusingMemory(() => true, asking(room + 1))).toBe(0);
    expect(refusingMemory(() => true, asking(room))).toBe(1);
  });

  it('hides no failure but that of a refusal', () => {
    const { arena } = arenaOf(1);
    const grow = spyOn(WebAssembly.Memory.prototype, 'grow').mockImplementation(() => {
      throw new TypeError('not of memory');
    });
    try {
      expect(() => arena.allocate(PAGE)).toThrow('not of memory');
    } finally {
      grow.mockRestore();
    }
  });

  it('is empty when there are but workspaces, one for each number of dimensions', () => {
    const { arena, bound } = arenaOf(2);
    const small = arena.workspace(7);
    expect(arena.workspace(7)).toBe(small as never);
    expect(arena.workspace(8)).not.toBe(small as never);
    expect([small?.length, small?.input.length, small?.singleInput.length]).toEqual([8, 8, 8]);
    expect(arena.isEmpty).toBe(true);
    const start = arena.allocate(65) as number;
    expect(arena.isEmpty).toBe(false);
    arena.free(start, 65);
    expect(arena.isEmpty).toBe(true);
    const fits = () => expect(arena.workspace(65_536)).toBeUndefined();
    refusingMemory(() => true, fits);
    expect(bound).toEqual([]);
  });

  it('binds a workspace once, and lays its views anew when the memory has grown', () => {
    const { arena, bound } = arenaOf(1);
    const [one, other] = [arena.workspace(8), arena.workspace(16)];
    if (one === undefined || other === undefined) throw new Error('there is room');
    one.unit.set([1, 2, 3]);
    arena.bind(one);
    arena.bind(one);
    arena.bind(other);
    expect(bound).toEqual([
      [one.start, 8],
      [other.start, 16],
    ]);
    arena.allocate(PAGE);
    expect(one.unit.length).toBe(0);
    arena.bind(one);
    expect([...one.unit]).toEqual([1, 2, 3, 0, 0, 0, 0, 0]);
    expect(bound).toHaveLength(3);
  });
});

describe('rotationFactors', () => {
  it('are 1 before the last power of two, and 1 by its root from there on, with any sign', () => {
    const factors = rotationFactors(24);
    const part = 1 / 4;
    expect(Array.from(factors, Math.abs)).toEqual([
      ...new Array(8).fill(1),
      ...new Array(32).fill(part),
      ...new Array(8).fill(0),
    ]);
    expect(factors.filter((factor) => factor > 0).length).toBeWithin(12, 29);
  });
});
