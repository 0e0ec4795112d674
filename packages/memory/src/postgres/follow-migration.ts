import type { MemoryAnswer } from '@kp/scoring';
import { damagedError, MemoryStoreError } from '../log/errors.ts';
import type { ByteSearch, Erasure, LogFacts, NamespaceSettings, StoredEntry } from '../log/log.ts';
import type { MemoryBackend, MemoryRequest } from '../log/memory-backend.ts';
import { NamespaceMovedError } from './postgres-errors.ts';

/** How often a call follows its namespace; in a damaged database it would never arrive. */
const MAX_MOVES = 10;

/** A backend that finds its namespace again after `kp memory migrate` moved it to another index. */
export class MigratingBackend implements MemoryBackend {
  #current: MemoryBackend;
  #next: Promise<MemoryBackend> | undefined;
  readonly #open: () => Promise<MemoryBackend>;
  readonly #release: () => Promise<void>;

  /**
   * @param open - opens the namespace where it is after a move.
   * @param release - called once, after the last backend was closed.
   */
  constructor(
    first: MemoryBackend,
    open: () => Promise<MemoryBackend>,
    release: () => Promise<void>,
  ) {
    this.#current = first;
    this.#open = open;
    this.#release = release;
  }

  get engine(): string {
    return this.#current.engine;
  }

  get space(): NamespaceSettings {
    return this.#current.space;
  }

  get pendingCount(): number {
    return this.#current.pendingCount;
  }

  request(request: MemoryRequest, signal: AbortSignal | undefined): Promise<MemoryAnswer> {
    return this.#follow((backend) => {
      signal?.throwIfAborted();
      return backend.request(request, signal);
    });
  }

  size(): Promise<number> {
    return this.#follow((backend) => backend.size());
  }

  erase(key: string): Promise<Erasure> {
    return this.#follow((backend) => backend.erase(key));
  }

  prune(ageMs: number, isDryRun: boolean): Promise<number> {
    return this.#follow((backend) => backend.prune(ageMs, isDryRun));
  }

  check(): Promise<readonly string[]> {
    return this.#follow((backend) => backend.check());
  }

  findBytes(key: string): Promise<ByteSearch> {
    return this.#follow((backend) => backend.findBytes(key));
  }

  facts(): Promise<LogFacts> {
    return this.#follow((backend) => backend.facts());
  }

  async *stored(): AsyncGenerator<StoredEntry> {
    await this.size();
    try {
      yield* this.#current.stored();
    } catch (error) {
      if (!(error instanceof NamespaceMovedError)) throw error;
      throw new MemoryStoreError({
        code: 'MEMORY_UNAVAILABLE',
        subject: `namespace ${JSON.stringify(this.space.namespace)}`,
        expected: 'the same index while it is listed',
        received: 'a migration to another index',
        remedy: 'list it again',
        cause: error,
      });
    }
  }

  async close(): Promise<void> {
    await this.#current.close();
    await this.#release();
  }

  async #follow<T>(call: (backend: MemoryBackend) => Promise<T>): Promise<T> {
    for (let moves = 0; ; moves++) {
      const called = this.#current;
      try {
        return await call(called);
      } catch (error) {
        if (!(error instanceof NamespaceMovedError)) throw error;
        if (moves === MAX_MOVES) {
          const subject = `postgres, namespace ${JSON.stringify(this.space.namespace)}`;
          throw damagedError(subject, 'a table for the namespace', 'none', error);
        }
        if (this.#current === called) await this.#reopen(called);
      }
    }
  }

  /** Opens the new backend once for all calls that failed. */
  async #reopen(moved: MemoryBackend): Promise<void> {
    this.#next ??= this.#open().finally(() => {
      this.#next = undefined;
    });
    const next = await this.#next;
    if (this.#current === moved) this.#current = next;
  }
}
