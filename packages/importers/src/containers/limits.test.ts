import { describe, expect, it } from 'bun:test';
import { collect, createBudget, earn, spend, spendFile, toReadableStream } from './limits.ts';

async function* chunksOf(...lengths: readonly number[]): AsyncGenerator<Uint8Array> {
  for (const length of lengths) yield new Uint8Array(length).fill(length);
}

describe('the budget of an input', () => {
  it('is 64 MiB, and 100 bytes for each that was read', async () => {
    const budget = createBudget();
    expect(budget).toEqual({ bytes: 67_108_864, files: 100_000 });
    const earned = await Array.fromAsync(earn(chunksOf(3, 4), budget), ({ length }) => length);
    expect(earned).toEqual([3, 4]);
    expect(budget.bytes).toBe(67_108_864 + 700);
  });

  it('can be spent to the last byte, and no further', async () => {
    const budget = { bytes: 7, files: 2 };
    const lengths = await Array.fromAsync(spend(chunksOf(3, 4), budget), ({ length }) => length);
    expect(lengths).toEqual([3, 4]);
    expect(budget.bytes).toBe(0);
    await expect(Array.fromAsync(spend(chunksOf(1), budget))).rejects.toThrow(
      'an input that unpacks to at most 67108864 bytes and 100 for each of its own',
    );
    spendFile(budget);
    spendFile(budget);
    expect(() => spendFile(budget)).toThrow('archives of at most 100000 files');
  });

  it('collects up to the most bytes, in memory of its own', async () => {
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

  it('gives a stream that ends, and lets go of its source', async () => {
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
