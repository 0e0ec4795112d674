import { describe, expect, it } from 'bun:test';
import { parquetWriteBuffer } from 'hyparquet-writer';
import type { JsonItem } from '../json-stream/line-reader.ts';
import { createBudget, type UnpackBudget } from './limits.ts';
import { readCsv, readParquet } from './tables.ts';

describe('readCsv', () => {
  const read = (text: string): Promise<JsonItem[]> => {
    async function* chunks(): AsyncGenerator<Uint8Array> {
      yield new TextEncoder().encode(text);
    }
    return Array.fromAsync(readCsv(chunks(), 100_000_000));
  };

  it('rejects a row of more than ten million characters, including quoted line breaks', async () => {
    const cell = `"${'x\n'.repeat(5_000_000)}"`;
    await expect(read(`a,b\n${cell},1\n`)).rejects.toMatchObject({
      code: 'DAMAGED_ARCHIVE',
      expected: 'rows of at most 10000000 characters',
    });
    expect(await read(`a,b\n"${'x\n'.repeat(9)}",1\n`)).toHaveLength(1);
  });
});

describe('readParquet', () => {
  const read = (budget: UnpackBudget): Promise<JsonItem[]> => {
    const columnData = [{ name: 'task_id', data: Int32Array.of(7, 8, 9) }];
    async function* chunks(): AsyncGenerator<Uint8Array> {
      yield new Uint8Array(parquetWriteBuffer({ columnData, codec: 'UNCOMPRESSED' }));
    }
    return Array.fromAsync(readParquet(chunks(), budget));
  };

  it('counts columns, rows and the declared size of each page', async () => {
    // The root and a column, three rows, and a page with three 4-byte values.
    const needed = { ...createBudget(), bytes: 3 * 4, values: 2 + 3 * 25 + 1 + 3 };
    const budget = { ...needed };
    const values = [{ task_id: 7 }, { task_id: 8 }, { task_id: 9 }];
    expect(await read(budget)).toMatchObject(values.map((value) => ({ value })));
    expect(budget).toMatchObject({ bytes: 0, values: 0 });
    await expect(read({ ...needed, bytes: needed.bytes - 1 })).rejects.toThrow('41943040 bytes');
    await expect(read({ ...needed, values: needed.values - 1 })).rejects.toThrow('4000000 values');
  });
});
