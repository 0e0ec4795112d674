import { nextTask } from '@kp/foundation';
import type { MemoryAnswer } from '@kp/scoring';
import { BatchQueue, type PendingRequest } from './batch-queue.ts';
import { EventLoopBudget } from './event-loop.ts';
import type {
  ByteSearch,
  Erasure,
  LogAnswer,
  LogCursor,
  LogFacts,
  LogRow,
  MemoryLog,
  NamespaceSettings,
  NewRow,
  StoredEntry,
} from './log.ts';
import { isCompared, LogCopy } from './log-copy.ts';
import type { MemoryBackend, MemoryRequest } from './memory-backend.ts';
import type { ResolvedOptions } from './options.ts';
import { searchWhilePending } from './overlapped-search.ts';
import { Pruner } from './pruner.ts';
import { storedEntries } from './stored-entries.ts';
import { checkRows } from './verify-memory.ts';

const MAX_BATCH_SIZE = 256;
/** A `forget` row lists positions in its key; an index of Postgres has room for 2,700 bytes. */
const KEYS_IN_A_ROW = 100;

/** Reads a log into the process and answers from there. */
export class LogReader implements MemoryBackend {
  readonly #log: MemoryLog;
  readonly #copy: LogCopy;
  readonly #queue: BatchQueue;
  readonly #budget = new EventLoopBudget();
  readonly #pruner: Pruner;

  constructor(log: MemoryLog, options: ResolvedOptions) {
    this.#log = log;
    this.#pruner = new Pruner(log, options);
    this.#copy = new LogCopy(log, options, this.#pruner, this.#budget);
    this.#queue = new BatchQueue(MAX_BATCH_SIZE, (batch) => this.#answerBatch(batch));
  }

  get engine(): string {
    return this.#log.engine;
  }

  get space(): NamespaceSettings {
    return this.#log.space;
  }

  get pendingCount(): number {
    return this.#queue.pendingCount;
  }

  request(request: MemoryRequest, signal: AbortSignal | undefined): Promise<MemoryAnswer> {
    return this.#queue.add(request, signal);
  }

  size(): Promise<number> {
    return this.#queue.runExclusive(async () => {
      await this.#copy.catchUp();
      return this.#copy.entries.size;
    });
  }

  erase(key: string): Promise<Erasure> {
    return this.#queue.runExclusive(async () => {
      const operationId = crypto.randomUUID();
      const erase = (deadline: number) => this.#log.erase(key, operationId, deadline);
      const erasure = await this.#copy.retry(erase);
      await this.#copy.catchUp();
      return erasure;
    });
  }

  prune(ageMs: number, isDryRun: boolean): Promise<number> {
    return this.#queue.runExclusive(async () => {
      await this.#copy.catchUp();
      const keys = this.#copy.entries.keysOlderThan(ageMs);
      if (isDryRun) return keys.length;
      const { position } = this.#copy;
      let pruned = 0;
      for (let i = 0; i < keys.length; i += KEYS_IN_A_ROW) {
        const some = keys.slice(i, i + KEYS_IN_A_ROW);
        const operationId = crypto.randomUUID();
        pruned += await this.#copy.retry((deadline) =>
          this.#log.forgetKeys(some, position, operationId, deadline),
        );
      }
      await this.#copy.catchUp();
      return pruned;
    });
  }

  async *stored(): AsyncGenerator<StoredEntry> {
    await this.size();
    const isKept = (row: LogRow): boolean => this.#copy.entries.keeps(row);
    yield* storedEntries(this.#log, this.#copy.pageSize, this.#read, isKept);
  }

  async check(): Promise<readonly string[]> {
    const problems = await this.#log.check();
    return [...problems, ...(await checkRows(this.#log, this.#copy.pageSize, this.#read))];
  }

  findBytes(key: string): Promise<ByteSearch> {
    return this.#log.findBytes(key);
  }

  async facts(): Promise<LogFacts> {
    const { head, ...facts } = await this.#log.facts();
    const { position } = this.#copy;
    const lag = position === 0 ? Number(facts.rows ?? 0) : Math.max(0, head - position);
    return { ...facts, lag };
  }

  close(): Promise<void> {
    return this.#queue.close(async () => {
      await this.#pruner.end();
      await this.#log.close();
    });
  }

  async #answerBatch(batch: readonly PendingRequest[]): Promise<void> {
    await this.#answer(batch);
    this.#pruner.pruneWhenDue(() =>
      Math.min(this.#copy.entries.oldestPosition ?? Infinity, this.#copy.position),
    );
  }

  async #answer(batch: readonly PendingRequest[]): Promise<void> {
    const own = new Map<string, PendingRequest[]>();
    const news: NewRow[] = [];
    const others: PendingRequest[] = [];
    for (const pending of batch) {
      const { request } = pending;
      if (request.kind === 'nearest' || this.#isRepeat(request)) {
        others.push(pending);
        continue;
      }
      const same = own.get(request.operationId);
      if (same !== undefined) {
        same.push(pending);
      } else {
        own.set(request.operationId, [pending]);
        news.push(request);
      }
    }
    if (news.length === 0) {
      await this.#copy.catchUp();
    } else {
      const rows = this.#copy.append(news);
      if (this.#log.isSynchronous !== true) {
        const compared = news.filter(({ operationId }) => isCompared(own.get(operationId)));
        await searchWhilePending(rows, compared, this.#copy.entries, this.#budget);
      }
      await this.#copy.apply(await rows, own);
    }
    for (const pending of others) await this.#answerLocally(pending);
  }

  async #answerLocally(pending: PendingRequest): Promise<void> {
    const { request, resolve } = pending;
    if (request.kind === 'nearest') {
      resolve({ nearest: this.#copy.entries.nearest(request.vector, request.floor) });
    } else if (this.#isRepeat(request)) {
      resolve(request.compare ? this.#copy.entries.repeat(request.key, request.vector) : {});
    } else {
      // Another process forgot or replaced it meanwhile, so it is new.
      await this.#answer([pending]);
    }
    if (this.#budget.isUsedUp()) await nextTask();
  }

  #isRepeat({ kind, key, vector }: NewRow): boolean {
    return kind === 'replace' && this.#copy.entries.holds(key, vector);
  }

  readonly #read = (after: LogCursor, limit: number): Promise<LogAnswer> =>
    this.#copy.read(after, limit);
}
