import { describe, expect, it } from 'bun:test';
import type { MemoryAnswer } from '@kp/scoring';
import type { DurableMemory } from './durable-memory.ts';
import { openBackendMemory } from './log-memory.ts';
import type { MemoryBackend, MemoryRequest } from './memory-backend.ts';
import { type MemoryOptions, resolveOptions } from './options.ts';

interface Seen {
  readonly requests: MemoryRequest[];
  readonly forgotten: string[];
  waiting: number;
  closed: number;
  ttlMs: number;
}

/** A backend that records its requests. */
async function memoryOf(
  options: MemoryOptions = {},
  change: Partial<MemoryBackend> = {},
): Promise<{ memory: DurableMemory; seen: Seen }> {
  const seen: Seen = { requests: [], forgotten: [], waiting: 0, closed: 0, ttlMs: Infinity };
  const backend: MemoryBackend = {
    engine: 'noting',
    get space() {
      const { ttlMs } = seen;
      return { namespace: 'own', embedderId: 'two', dimensions: 2, maxElements: 9, ttlMs };
    },
    get pendingCount() {
      return seen.waiting;
    },
    async request(request): Promise<MemoryAnswer> {
      seen.requests.push(request);
      return { nearest: { key: 'a', similarity: 0.5 }, comparedWith: seen.requests.length };
    },
    size: async () => 5,
    async erase(key) {
      seen.forgotten.push(key);
      return { removed: key === 'there' ? 2 : 0, bytesErased: 'now' };
    },
    prune: async (ageMs, isDryRun) => (isDryRun ? ageMs : 0),
    async *stored() {
      yield { key: 'a', vector: Float32Array.of(1, 0), addedAt: 7 };
    },
    check: async () => [],
    findBytes: async () => ({ found: [], unseen: [] }),
    facts: async () => ({ rows: 3 }),
    async close() {
      seen.closed++;
    },
    ...change,
  };
  return { memory: await openBackendMemory(backend, resolveOptions(options)), seen };
}

const vector = Float32Array.of(1, 2);
const ID = '01234567-89ab-cdef-0123-456789abcdef';

describe('a durable memory', () => {
  it('sends requests by kind with a lower-case UUID and returns their results', async () => {
    const { memory, seen } = await memoryOf();
    expect(memory).toMatchObject({ dimensions: 2, embedderId: 'two', namespace: 'own' });
    expect(await memory.size).toBe(5);
    expect(await memory.nearest(vector, { floor: 0.25 })).toEqual({ key: 'a', similarity: 0.5 });
    await memory.add(vector, 'b');
    await memory.addAll([{ key: 'c', vector }]);
    const entry = { key: 'd', vector, operationId: ID.toUpperCase() };
    expect(await memory.compareAndRemember([entry])).toMatchObject([{ comparedWith: 4 }]);
    await memory.compareAndRemember([entry], { sameId: 'replace' });
    await memory.compareAndRemember([entry], { sameId: 'compare' });
    const [nearest, add, replace, ...compared] = seen.requests;
    expect(nearest).toEqual({ kind: 'nearest', vector, floor: 0.25 });
    expect(nearest?.vector).not.toBe(vector);
    expect(add).toMatchObject({ kind: 'add', key: 'b', compare: false });
    expect(replace).toMatchObject({ kind: 'replace', key: 'c', compare: false });
    expect(compared.map(({ kind }) => kind)).toEqual(['add', 'replace', 'add']);
    for (const each of compared) expect(each).toMatchObject({ compare: true, operationId: ID });
    expect(Reflect.get(add as object, 'operationId')).toMatch(/^[\da-f-]{36}$/);
  });

  it('forgets by key, and lists what is stored', async () => {
    const { memory, seen } = await memoryOf();
    expect([await memory.forget('there'), await memory.forget('not')]).toEqual([true, false]);
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(memory.forget('there', { signal })).rejects.toThrow('enough');
    await expect(memory.forget('')).rejects.toThrow('key: expected a string that is not empty');
    expect(seen.forgotten).toEqual(['there', 'not']);
    const entries = await Array.fromAsync(memory.entries());
    expect(entries).toEqual([{ key: 'a', vector: Float32Array.of(1, 0), addedAt: 7 }]);
  });

  it('describes itself, with null for an unlimited age', async () => {
    const { memory, seen } = await memoryOf();
    const facts = {
      engine: 'noting',
      namespace: 'own',
      entries: 5,
      embedderId: 'two',
      dimensions: 2,
      maxElements: 9,
      ttlMs: null,
      hashedKeys: false,
      rows: 3,
    };
    expect(await memory.stats()).toEqual(facts);
    seen.ttlMs = 70;
    expect(await memory.stats()).toEqual({ ...facts, ttlMs: 70 });
    const hashing = await memoryOf({ hashKeys: 'a secret of some length' });
    expect(await hashing.memory.stats()).toMatchObject({ hashedKeys: true });
    await hashing.memory.add(vector, 'b');
    expect(Reflect.get(hashing.seen.requests[0] as object, 'key')).toMatch(/^[\w-]{43}$/);
  });

  it('rejects calls beyond the queue limit but accepts a single call of any length', async () => {
    const { memory, seen } = await memoryOf({ maxPending: 3 });
    const entries = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ key: `${at}`, vector, operationId: ID }));
    expect(await memory.compareAndRemember(entries(5))).toHaveLength(5);
    seen.waiting = 1;
    expect(await memory.compareAndRemember(entries(2))).toHaveLength(2);
    await expect(memory.compareAndRemember(entries(3))).rejects.toMatchObject({
      code: 'MEMORY_OVERLOADED',
      message:
        'memory: expected at most 3 entries to wait, received 4; wait for answers before further calls, or raise maxPending',
    });
    seen.waiting = 3;
    await expect(memory.nearest(vector)).rejects.toThrow('received 4');
    expect(seen.requests).toHaveLength(7);
  });

  it('sends no request if the signal is already aborted', async () => {
    const { memory, seen } = await memoryOf();
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(memory.add(vector, 'a', { signal })).rejects.toThrow('enough');
    const entry = { key: 'a', vector, operationId: ID };
    await expect(memory.compareAndRemember([entry], { signal })).rejects.toThrow('enough');
    expect(seen.requests).toEqual([]);
  });

  it('closes once and rejects all later calls', async () => {
    const { memory, seen } = await memoryOf();
    await Promise.all([memory.close(), memory.close()]);
    expect(seen.closed).toBe(1);
    const calls = [
      () => memory.size,
      () => memory.nearest(vector),
      () => memory.add(vector, 'a'),
      () => memory.addAll([]),
      () => memory.compareAndRemember([]),
      () => memory.forget('a'),
      () => memory.ready(),
      () => memory.stats(),
    ];
    for (const call of calls) {
      await expect(call()).rejects.toMatchObject({
        code: 'MEMORY_CLOSED',
        message: 'memory: expected an open memory, received a closed one; open it again',
      });
    }
  });

  it('releases a store that does not respond while opening', async () => {
    let closed = 0;
    const opening = memoryOf(
      {},
      {
        size: () => Promise.reject(new Error('no answer')),
        close: async () => void closed++,
      },
    );
    await expect(opening).rejects.toThrow('no answer');
    expect(closed).toBe(1);
  });
});

describe('invalid arguments of a durable memory', () => {
  it.each([
    ['', 'key: expected a string that is not empty, received ""'],
    [7, 'key: expected a string that is not empty, received number'],
    ['x'.repeat(2_001), `received "${'x'.repeat(40)}" (2001)`],
    ['a\u0000b', 'at most 2000 characters without NUL, received "a\\u0000b" (3)'],
    ['a\ud83d', 'key: expected well-formed text'],
  ])('a key of %j', async (key, message) => {
    const { memory, seen } = await memoryOf();
    await expect(memory.add(vector, key as string)).rejects.toThrow(message);
    expect(seen.requests).toEqual([]);
  });

  it('accepts keys of 2,000 characters in any script', async () => {
    const { memory, seen } = await memoryOf();
    for (const key of ['x'.repeat(2_000), '航班 🛫']) await memory.add(vector, key);
    expect(seen.requests).toHaveLength(2);
  });

  it.each([
    [[1, 2], 'vector: expected a Float32Array, received object'],
    [Float32Array.of(1), 'vector: expected 2 dimensions, received 1'],
    [Float32Array.of(1, 2, 3), 'vector: expected 2 dimensions, received 3'],
    [Float32Array.of(Number.NaN, 2), 'vector[0]: expected a finite number, received NaN'],
    [Float32Array.of(1, -Infinity), 'vector[1]: expected a finite number, received -Infinity'],
  ])('a vector of %p', async (wrong, message) => {
    const { memory } = await memoryOf();
    await expect(memory.nearest(wrong as Float32Array)).rejects.toThrow(message);
    await expect(memory.add(wrong as Float32Array, 'a')).rejects.toThrow(message);
  });

  it.each(['', 'x', `${ID}0`, ID.slice(1), ID.replace('a', 'g')])(
    'an operation of %j',
    async (operationId) => {
      const { memory } = await memoryOf();
      const entry = { key: 'a', vector, operationId };
      await expect(memory.compareAndRemember([entry])).rejects.toMatchObject({
        code: 'MEMORY_ENTRY_INVALID',
        message: `operationId: expected a UUID, received ${JSON.stringify(operationId)}`,
      });
    },
  );
});
