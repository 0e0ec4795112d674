import type {
  CompareAndRememberOptions,
  MemoryAnswer,
  MemoryCallOptions,
  MemoryEntry,
  MemoryStats,
  NearestOptions,
  NearestTrace,
} from '@kp/scoring';
import type { DurableMemory } from './log/durable-memory.ts';
import { checkKey, checkOperationId, copyVector } from './log/entry-checks.ts';
import { closedError } from './log/errors.ts';
import type { ByteSearch, Erasure, MemoryCheck, NewEntry, StoredEntry } from './log/log.ts';

/** Combines several memories into one; see `openShardedMemory`. */
export class ShardedMemory implements DurableMemory {
  readonly #shards: readonly [DurableMemory, ...DurableMemory[]];

  readonly #pending = new Set<Promise<unknown>>();
  readonly #sizes = new Map<DurableMemory, Promise<number>>();
  #closed: Promise<void> | undefined;

  /** @param shards - at least one. */
  constructor(shards: readonly DurableMemory[]) {
    this.#shards = shards as readonly [DurableMemory, ...DurableMemory[]];
  }

  get dimensions(): number {
    return this.#shards[0].dimensions;
  }

  get embedderId(): string {
    return this.#shards[0].embedderId;
  }

  get namespace(): string {
    return this.#shards[0].namespace;
  }

  get size(): Promise<number> {
    return this.#sum(({ size }) => size);
  }

  storedKey(key: string): string {
    return this.#shards[0].storedKey(key);
  }

  async nearest(vector: Float32Array, options?: NearestOptions): Promise<NearestTrace | undefined> {
    return mostSimilar(await this.#all((shard) => shard.nearest(vector, options)));
  }

  add(vector: Float32Array, key: string, options?: MemoryCallOptions): Promise<void> {
    return this.#shardOf(vector).add(vector, key, options);
  }

  async addAll(entries: readonly NewEntry[]): Promise<void> {
    await this.#all((shard) =>
      shard.addAll(entries.filter(({ vector }) => this.#shardOf(vector) === shard)),
    );
  }

  async compareAndRemember(
    entries: readonly MemoryEntry[],
    options?: CompareAndRememberOptions,
  ): Promise<readonly MemoryAnswer[]> {
    if (this.#closed !== undefined) throw closedError();
    // In one call, so that all of its entries are remembered or none.
    const checked = entries.map(({ key, operationId, vector }) => ({
      key: checkKey(key),
      operationId: checkOperationId(operationId),
      vector: copyVector(vector, this.dimensions),
    }));
    const answered = this.#compareAll(checked, options);
    this.#pending.add(answered);
    try {
      return await answered;
    } finally {
      this.#pending.delete(answered);
    }
  }

  async #compareAll(
    entries: readonly MemoryEntry[],
    options: CompareAndRememberOptions | undefined,
  ): Promise<readonly MemoryAnswer[]> {
    const answers: MemoryAnswer[] = [];
    // Sequentially, so that no entry is compared with later ones of the same call.
    for (const entry of entries) answers.push(await this.#compareOne(entry, options));
    return answers;
  }

  async #compareOne(
    entry: MemoryEntry,
    options?: CompareAndRememberOptions,
  ): Promise<MemoryAnswer> {
    const own = this.#shardOf(entry.vector);
    const [answer] = await own.compareAndRemember([entry], options);
    // After the entry was remembered, so that at least one of two concurrent calls finds the
    // other's entry.
    const others = this.#shards.filter((shard) => shard !== own);
    const found = await Promise.all(
      others.map(async (shard) => {
        const nearest = await shard.nearest(entry.vector, { signal: options?.signal });
        return { nearest, size: nearest === undefined ? 0 : await this.#sizeOf(shard) };
      }),
    );
    const nearest = mostSimilar([answer?.nearest, ...found.map((each) => each.nearest)]);
    const comparedWith = found.reduce((sum, { size }) => sum + size, answer?.comparedWith ?? 0);
    return { nearest, comparedWith };
  }

  async forget(key: string, options?: MemoryCallOptions): Promise<boolean> {
    return (await this.erase(key, options)).removed > 0;
  }

  async erase(key: string, options?: MemoryCallOptions): Promise<Erasure> {
    const all = await this.#all((shard) => shard.erase(key, options));
    const removed = all.reduce((sum, each) => sum + each.removed, 0);
    const least =
      all.find(({ bytesErased }) => bytesErased === 'pending') ??
      all.find(({ bytesErased }) => bytesErased === 'unknown');
    return { bytesErased: 'now', ...least, removed };
  }

  prune(options: { readonly olderThanMs: number; readonly dryRun?: boolean }): Promise<number> {
    return this.#sum((shard) => shard.prune(options));
  }

  async ready(): Promise<void> {
    await this.#all((shard) => shard.ready());
  }

  close(): Promise<void> {
    this.#closed ??= (async () => {
      await Promise.allSettled(this.#pending);
      await this.#all((shard) => shard.close());
    })();
    return this.#closed;
  }

  async stats(): Promise<MemoryStats> {
    const shards = await this.#all((shard) => shard.stats());
    const sumOf = (name: string): number =>
      shards.reduce((sum, facts) => sum + Number(facts[name] ?? 0), 0);
    const { dimensions, embedderId, namespace } = this;
    const sums = { entries: sumOf('entries'), rows: sumOf('rows'), bytes: sumOf('bytes') };
    return { engine: 'sharded', namespace, dimensions, embedderId, ...sums, shards };
  }

  async *entries(): AsyncGenerator<StoredEntry> {
    for (const shard of this.#shards) yield* shard.entries();
  }

  async verify(): Promise<MemoryCheck> {
    const checks = await this.#all((shard) => shard.verify());
    const { createHash } = process.getBuiltinModule('node:crypto');
    const digests = checks.map(({ digest }) => digest).join('\n');
    return {
      entries: checks.reduce((sum, { entries }) => sum + entries, 0),
      digest: createHash('sha256').update(digests).digest('hex'),
      problems: checks.flatMap(({ problems }, i) => problems.map((each) => `shard ${i}: ${each}`)),
    };
  }

  async findBytes(key: string): Promise<ByteSearch> {
    const all = await this.#all((shard) => shard.findBytes(key));
    const places = (name: keyof ByteSearch): string[] =>
      all.flatMap((each, i) => each[name].map((place) => `shard ${i}: ${place}`));
    return { found: places('found'), unseen: places('unseen') };
  }

  /** Concurrent calls share one request. */
  #sizeOf(shard: DurableMemory): Promise<number> {
    const asked = this.#sizes.get(shard);
    if (asked !== undefined) return asked;
    const size = shard.size.finally(() => this.#sizes.delete(shard));
    this.#sizes.set(shard, size);
    return size;
  }

  #shardOf(vector: Float32Array): DurableMemory {
    return this.#shards[hashOf(vector) % this.#shards.length] ?? this.#shards[0];
  }

  #all<T>(task: (shard: DurableMemory) => Promise<T>): Promise<T[]> {
    return Promise.all(this.#shards.map(task));
  }

  async #sum(task: (shard: DurableMemory) => Promise<number>): Promise<number> {
    return (await this.#all(task)).reduce((sum, each) => sum + each, 0);
  }
}

/** Returns the most similar trace of several shards; on a tie that of the first shard. */
function mostSimilar(found: readonly (NearestTrace | undefined)[]): NearestTrace | undefined {
  return found.reduce((best, each) => {
    return each !== undefined && each.similarity > (best?.similarity ?? -Infinity) ? each : best;
  }, undefined);
}

/** FNV-1a over the words of a vector: equal for equal vectors, on every machine. */
function hashOf(vector: Float32Array): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < vector.length; i++) {
    // -0 equals 0.
    BITS.setFloat32(0, (vector[i] as number) + 0);
    hash = Math.imul(hash ^ BITS.getUint32(0), 0x01000193) >>> 0;
  }
  return (hash ^ (hash >>> 16)) >>> 0;
}

const BITS = new DataView(new ArrayBuffer(4));
