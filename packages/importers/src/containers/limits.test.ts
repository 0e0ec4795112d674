import { describe, expect, it } from 'bun:test';
import {
  collect,
  createBudget,
  earn,
  spend,
  spendFile,
  spendValues,
  toReadableStream,
} from './limits.ts';

async function* chunksOf(...lengths: readonly number[]): AsyncGenerator<Uint8Array> {
  for (const length of lengths) yield new Uint8Array(length).fill(length);
}

describe('the budget of an input', () => {
  it('is 40 MiB and four million values, and grows with each input byte over 1 MiB', async () => {
    const budget = createBudget();
    const bytes = 41_943_040;
    const first = { bytes, values: 4_000_000, isPacked: false, free: 1_048_576, files: 5000 };
    expect(budget).toEqual(first);
    const earned = await Array.fromAsync(earn(chunksOf(3, 4), budget), ({ length }) => length);
    expect(earned).toEqual([3, 4]);
    expect(budget).toEqual({ ...first, free: 1_048_569 });
    await Array.fromAsync(earn(chunksOf(1_048_570, 9), budget));
    expect(budget).toEqual({
      ...first,
      free: 0,
      bytes: bytes + 1000,
      values: 4_000_200,
      files: 5000.1,
    });
  });

  it('can be spent exactly to the last byte, value and file', async () => {
    const budget = { bytes: 7, values: 3, isPacked: true, free: 0, files: 2 };
    const lengths = await Array.fromAsync(spend(chunksOf(3, 4), budget), ({ length }) => length);
    expect(lengths).toEqual([3, 4]);
    expect(budget.bytes).toBe(0);
    await expect(Array.fromAsync(spend(chunksOf(1), budget))).rejects.toThrow(
      'an input that unpacks to at most 41943040 bytes, and 100 more for each byte over 1048576, received more; unpack it first if you trust it',
    );
    spendValues(budget, 3);
    expect(() => spendValues(budget, 1)).toThrow(
      'at most 4000000 values, and 20 more for each byte over 1048576',
    );
    spendFile(budget);
    spendFile(budget);
    expect(() => spendFile(budget)).toThrow(
      'archives of at most 5000 files, and one more for each 100 bytes over 1048576, received more; unpack it first',
    );
  });

  it('collects bytes up to the maximum into its own memory', async () => {
    const shared = Uint8Array.of(1, 2, 3);
    async function* reusing() {
      yield shared;
      shared.fill(9);
      yield shared.subarray(0, 1);
    }
    const blob = await collect(reusing(), 'a table', 4);
    expect([...(await blob.bytes())]).toEqual([1, 2, 3, 9]);
    await expect(collect(chunksOf(2, 3), 'a table', 4)).rejects.toThrow(
      'a table of at most 4 bytes',
    );
  });

  it('collects at most 2 GiB of an archive', async () => {
    async function* large(length: number): AsyncGenerator<Uint8Array> {
      // An array that only pretends to have this length.
      yield { length, slice: () => Uint8Array.of(1) } as unknown as Uint8Array;
    }
    expect((await collect(large(2_147_483_648), 'a zip')).size).toBe(1);
    await expect(collect(large(2_147_483_649), 'a zip')).rejects.toThrow(
      'a zip of at most 2147483648 bytes',
    );
  });

  it('returns a stream that ends and releases its source', async () => {
    const read = await Array.fromAsync(toReadableStream(chunksOf(1, 2)), (chunk) => chunk.length);
    expect(read).toEqual([1, 2]);
    let isClosed = false;
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield Uint8Array.of(1);
      } finally {
        isClosed = true;
      }
    }
    const reader = toReadableStream(endless()).getReader();
    await reader.read();
    await reader.cancel();
    expect(isClosed).toBe(true);
  });
});
