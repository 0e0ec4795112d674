import { describe, expect, it } from 'bun:test';
import { fromVectorStore, type VectorStore } from './from-vector-store.ts';

const embedder = { id: 'test/2', dimensions: 2 };
const vector = Float32Array.of(0, 1);

describe('fromVectorStore', () => {
  it('queries and fills the store with copies and passes options on', async () => {
    const calls: unknown[][] = [];
    const store: VectorStore = {
      query(...call) {
        calls.push(['query', ...call]);
        return { key: 'a', similarity: 0.5 };
      },
      async upsert(...call) {
        calls.push(['upsert', ...call]);
      },
    };
    const memory = fromVectorStore(store, { embedder });
    expect(memory).toMatchObject({ embedderId: 'test/2', dimensions: 2 });
    const { signal } = new AbortController();
    expect(await memory.nearest(vector, { signal })).toEqual({ key: 'a', similarity: 0.5 });
    await memory.add(vector, 'b', { signal });
    await memory.nearest(vector);
    await memory.add(vector, 'c');
    expect(calls).toEqual([
      ['query', vector, { signal }],
      ['upsert', 'b', vector, { signal }],
      ['query', vector, {}],
      ['upsert', 'c', vector, {}],
    ]);
    expect(calls[0]?.[1]).not.toBe(vector);
    expect('size' in memory).toBe(false);
    expect('forget' in memory).toBe(false);
  });

  it('calls the count and delete functions as methods of the store', async () => {
    class Store implements VectorStore {
      readonly keys = new Set(['a', 'b']);
      query = () => undefined;
      upsert = () => undefined;
      count(): number {
        return this.keys.size;
      }
      delete(key: string): boolean {
        return this.keys.delete(key);
      }
    }
    const memory = fromVectorStore(new Store(), { embedder });
    expect(await memory.size).toBe(2);
    expect(Object.keys(memory)).toContain('size');
    expect(await memory.forget?.('a')).toBe(true);
    expect(await memory.forget?.('a')).toBe(false);
    expect(await memory.size).toBe(1);
  });

  it.each([
    [Float32Array.of(1), 'vector: expected 2 finite numbers, received 1'],
    [Float32Array.of(1, 2, 3), 'vector: expected 2 finite numbers, received 3'],
    [Float32Array.of(1, Number.NaN), 'expected 2 finite numbers, received 2, not all finite'],
    [Float32Array.of(Infinity, 1), 'expected 2 finite numbers, received 2, not all finite'],
  ])('rejects %p before querying the store', async (wrong, message) => {
    const store = { query: () => undefined, upsert: () => expect.unreachable() };
    const memory = fromVectorStore(store, { embedder });
    expect(() => memory.nearest(wrong)).toThrow(message);
    await expect((async () => memory.add(wrong, 'a'))()).rejects.toThrow(message);
  });
});
