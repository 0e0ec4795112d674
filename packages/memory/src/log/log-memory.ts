import type {
  CompareAndRememberOptions,
  MemoryAnswer,
  MemoryCallOptions,
  MemoryEntry,
  MemoryStats,
  NearestOptions,
  NearestTrace,
} from '@kp/scoring';
import type { DurableMemory } from './durable-memory.ts';
import { checkAge, checkKey, checkOperationId, copyVector } from './entry-checks.ts';
import { closedError, MemoryStoreError } from './errors.ts';
import { createKeyHash, type KeyHash } from './key-hash.ts';
import type { ByteSearch, Erasure, MemoryCheck, MemoryLog, NewEntry, StoredEntry } from './log.ts';
import { LogReader } from './log-reader.ts';
import type { MemoryBackend, MemoryRequest } from './memory-backend.ts';
import type { ResolvedOptions } from './options.ts';
import { verifyMemory } from './verify-memory.ts';

/** Opens a memory over an ordered log: the log decides the order, the process compares. */
export function openLogMemory(log: MemoryLog, options: ResolvedOptions): Promise<DurableMemory> {
  return openBackendMemory(new LogReader(log, options), options);
}

/** Opens a memory over a backend and waits for its first answer. */
export async function openBackendMemory(
  backend: MemoryBackend,
  options: ResolvedOptions,
): Promise<DurableMemory> {
  const memory = new BackendMemory(backend, options);
  try {
    await memory.ready();
  } catch (error) {
    await backend.close();
    throw error;
  }
  return memory;
}

class BackendMemory implements DurableMemory {
  readonly #backend: MemoryBackend;
  readonly #keys: KeyHash;
  readonly #maxPending: number;
  #closed: Promise<void> | undefined;

  constructor(backend: MemoryBackend, options: ResolvedOptions) {
    this.#backend = backend;
    this.#keys = createKeyHash(options.hashKeys);
    this.#maxPending = options.maxPending;
  }

  get dimensions(): number {
    return this.#backend.space.dimensions;
  }

  get embedderId(): string {
    return this.#backend.space.embedderId;
  }

  get namespace(): string {
    return this.#backend.space.namespace;
  }

  get size(): Promise<number> {
    return this.#open(() => this.#backend.size());
  }

  nearest(vector: Float32Array, options: NearestOptions = {}): Promise<NearestTrace | undefined> {
    return this.#open(async () => {
      const { floor, signal } = options;
      const request: MemoryRequest = {
        kind: 'nearest',
        vector: copyVector(vector, this.dimensions),
        floor,
      };
      const [answer] = await this.#ask([request], signal);
      return answer?.nearest;
    });
  }

  async add(vector: Float32Array, key: string, options: MemoryCallOptions = {}): Promise<void> {
    const request = (): MemoryRequest => this.#request('add', { vector, key }, false);
    await this.#open(() => this.#ask([request()], options.signal));
  }

  async addAll(entries: readonly NewEntry[]): Promise<void> {
    const requests = () => entries.map((entry) => this.#request('replace', entry, false));
    await this.#open(() => this.#ask(requests(), undefined));
  }

  compareAndRemember(
    entries: readonly MemoryEntry[],
    options: CompareAndRememberOptions = {},
  ): Promise<readonly MemoryAnswer[]> {
    return this.#open(() => {
      const kind = options.sameId === 'replace' ? 'replace' : 'add';
      const requests = entries.map((entry) => this.#request(kind, entry, true));
      return this.#ask(requests, options.signal);
    });
  }

  async forget(key: string, options: MemoryCallOptions = {}): Promise<boolean> {
    return (await this.erase(key, options)).removed > 0;
  }

  erase(key: string, options: MemoryCallOptions = {}): Promise<Erasure> {
    return this.#open(async () => {
      options.signal?.throwIfAborted();
      return this.#backend.erase(this.storedKey(key));
    });
  }

  prune({ olderThanMs, dryRun }: Parameters<DurableMemory['prune']>[0]): Promise<number> {
    return this.#open(() => this.#backend.prune(checkAge(olderThanMs), dryRun === true));
  }

  ready(): Promise<void> {
    return this.#open(async () => {
      await this.#backend.size();
    });
  }

  close(): Promise<void> {
    this.#closed ??= this.#backend.close();
    return this.#closed;
  }

  stats(): Promise<MemoryStats> {
    return this.#open(async () => {
      // `lag` counts the rows of others that the next line reads.
      const facts = await this.#backend.facts();
      const entries = await this.size;
      const { embedderId, dimensions, namespace, maxElements, ttlMs } = this.#backend.space;
      return {
        engine: this.#backend.engine,
        namespace,
        entries,
        embedderId,
        dimensions,
        maxElements,
        ttlMs: Number.isFinite(ttlMs) ? ttlMs : null,
        hashedKeys: this.#keys.check !== '',
        ...facts,
      };
    });
  }

  storedKey(key: string): string {
    return this.#keys.of(checkKey(key));
  }

  async *entries(): AsyncGenerator<StoredEntry> {
    const { check } = this.#keys;
    for await (const entry of this.#backend.stored()) {
      yield check === '' ? entry : { ...entry, hashedWith: check };
    }
  }

  verify(): Promise<MemoryCheck> {
    return this.#open(() => verifyMemory(this.#backend));
  }

  findBytes(key: string): Promise<ByteSearch> {
    return this.#open(() => this.#backend.findBytes(this.storedKey(key)));
  }

  async #open<T>(task: () => Promise<T>): Promise<T> {
    if (this.#closed !== undefined) {
      throw closedError();
    }
    return task();
  }

  async #ask(
    requests: readonly MemoryRequest[],
    signal: AbortSignal | undefined,
  ): Promise<MemoryAnswer[]> {
    signal?.throwIfAborted();
    const waiting = this.#backend.pendingCount + requests.length;
    // A single call may exceed the limit, because its entries are in memory already.
    if (this.#backend.pendingCount > 0 && waiting > this.#maxPending) {
      throw new MemoryStoreError({
        code: 'MEMORY_OVERLOADED',
        subject: 'memory',
        expected: `at most ${this.#maxPending} entries to wait`,
        received: `${waiting}`,
        remedy: 'wait for answers before further calls, or raise maxPending',
      });
    }
    return Promise.all(requests.map((request) => this.#backend.request(request, signal)));
  }

  #request(
    kind: 'add' | 'replace',
    entry: NewEntry & Partial<MemoryEntry>,
    compare: boolean,
  ): MemoryRequest {
    const operationId = checkOperationId(entry.operationId ?? crypto.randomUUID());
    const key = this.#keys.of(checkKey(entry.key), entry.hashedWith);
    const vector = copyVector(entry.vector, this.dimensions);
    return { kind, key, operationId, vector, compare };
  }
}
