import { nextTask } from '@kp/foundation';
import type { MemoryAnswer } from '@kp/scoring';
import { InvalidValueError } from '@kp/vector-cache';
import { BatchQueue, type PendingRequest } from './batch-queue.ts';
import { damagedError } from './errors.ts';
import { EventLoopBudget } from './event-loop.ts';
import { LocalEntries } from './local-entries.ts';
import {
  type ByteSearch,
  cursorOf,
  type Erasure,
  LOG_START,
  type LogAnswer,
  type LogCursor,
  type LogFacts,
  type LogRow,
  type MemoryLog,
  type NamespaceSettings,
  type NewRow,
  type StoredEntry,
} from './log.ts';
import type { MemoryBackend, MemoryRequest } from './memory-backend.ts';
import type { ResolvedOptions } from './options.ts';
import { searchWhilePending } from './overlapped-search.ts';
import { Pruner } from './pruner.ts';
import { retryTransient } from './retry-transient.ts';
import { storedEntries } from './stored-entries.ts';
import { checkRows } from './verify-memory.ts';

const MAX_BATCH_SIZE = 256;
const READ_BYTES = 500_000;
/** A page that takes longer to arrive than this is followed by one of twice its size. */
const SLOW_READ_MS = 40;
const LARGEST_PAGE = 16;
/** A `forget` row lists positions in its key; an index of Postgres has room for 2,700 bytes. */
const KEYS_IN_A_ROW = 100;

/** Reads a log into the process and answers from there. */
export class LogReader implements MemoryBackend {
  readonly #log: MemoryLog;
  readonly #options: ResolvedOptions;
  readonly #pageSize: number;
  readonly #queue: BatchQueue;
  readonly #budget = new EventLoopBudget();
  readonly #pruner: Pruner;
  #entries: LocalEntries;
  #cursor: LogCursor = LOG_START;
  /** Entries before a reload, until the log has been read again. */
  #before: ReadonlyMap<string, number> | undefined;

  constructor(log: MemoryLog, options: ResolvedOptions) {
    this.#log = log;
    this.#options = options;
    this.#pruner = new Pruner(log, options);
    this.#queue = new BatchQueue(MAX_BATCH_SIZE, (batch) => this.#answerBatch(batch));
    this.#entries = new LocalEntries(log.space);
    const rowBytes = log.space.dimensions * 4 + 100;
    const fitting = Math.floor((log.readBytes ?? READ_BYTES) / rowBytes);
    this.#pageSize = Math.min(2000, Math.max(16, fitting));
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
      await this.#catchUp();
      return this.#entries.size;
    });
  }

  erase(key: string): Promise<Erasure> {
    return this.#queue.runExclusive(async () => {
      const operationId = crypto.randomUUID();
      const erase = (deadline: number) => this.#log.erase(key, operationId, deadline);
      const erasure = await this.#retry(erase);
      await this.#catchUp();
      return erasure;
    });
  }

  prune(ageMs: number, isDryRun: boolean): Promise<number> {
    return this.#queue.runExclusive(async () => {
      await this.#catchUp();
      const keys = this.#entries.keysOlderThan(ageMs);
      if (isDryRun) return keys.length;
      const { position } = this.#cursor;
      let pruned = 0;
      for (let i = 0; i < keys.length; i += KEYS_IN_A_ROW) {
        const some = keys.slice(i, i + KEYS_IN_A_ROW);
        const operationId = crypto.randomUUID();
        pruned += await this.#retry((deadline) =>
          this.#log.forgetKeys(some, position, operationId, deadline),
        );
      }
      await this.#catchUp();
      return pruned;
    });
  }

  async *stored(): AsyncGenerator<StoredEntry> {
    await this.size();
    const isKept = (row: LogRow): boolean => this.#entries.keeps(row);
    yield* storedEntries(this.#log, this.#pageSize, this.#read, isKept);
  }

  async check(): Promise<readonly string[]> {
    const problems = await this.#log.check();
    return [...problems, ...(await checkRows(this.#log, this.#pageSize, this.#read))];
  }

  findBytes(key: string): Promise<ByteSearch> {
    return this.#log.findBytes(key);
  }

  async facts(): Promise<LogFacts> {
    const { head, ...facts } = await this.#log.facts();
    const { position } = this.#cursor;
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
      Math.min(this.#entries.oldestPosition ?? Infinity, this.#cursor.position),
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
      await this.#catchUp();
    } else {
      const rows = this.#append(news);
      if (this.#log.isSynchronous !== true) {
        const compared = news.filter(({ operationId }) => isCompared(own.get(operationId)));
        await searchWhilePending(rows, compared, this.#entries, this.#budget);
      }
      await this.#apply(await rows, own);
    }
    for (const pending of others) await this.#answerLocally(pending);
  }

  async #answerLocally(pending: PendingRequest): Promise<void> {
    const { request, resolve } = pending;
    if (request.kind === 'nearest') {
      resolve({ nearest: this.#entries.nearest(request.vector, request.floor) });
    } else if (this.#isRepeat(request)) {
      resolve(request.compare ? this.#entries.repeat(request.key, request.vector) : {});
    } else {
      // Another process forgot or replaced it meanwhile, so it is new.
      await this.#answer([pending]);
    }
    if (this.#budget.isUsedUp()) await nextTask();
  }

  #isRepeat({ kind, key, vector }: NewRow): boolean {
    return kind === 'replace' && this.#entries.holds(key, vector);
  }

  async #apply(rows: readonly LogRow[], own: ReadonlyMap<string, PendingRequest[]>): Promise<void> {
    for (const row of rows) {
      const askers = own.get(row.operationId ?? '') ?? [];
      const vector = row.vector ?? askers[0]?.request.vector;
      if (row.position > this.#cursor.position) {
        const answer = this.#applyRow(row, vector, isCompared(askers));
        this.#cursor = cursorOf(row);
        this.#pruner.count();
        for (const { resolve } of askers) resolve(answer ?? {});
      } else if (vector !== undefined) {
        const answer = this.#entries.answerOfRow(row.position, row.key, vector);
        for (const { resolve } of askers) resolve(answer);
      }
      if (this.#budget.isUsedUp()) await nextTask();
    }
  }

  /** @throws {@link MemoryStoreError} `MEMORY_DAMAGED` when a stored vector is not finite. */
  #applyRow(row: LogRow, vector: LogRow['vector'], isAsked: boolean): MemoryAnswer | undefined {
    try {
      return this.#entries.apply(row, vector, isAsked);
    } catch (error) {
      if (!(error instanceof InvalidValueError)) throw error;
      const subject = `${this.#log.engine}, position ${row.position}`;
      throw damagedError(subject, 'a vector of finite numbers', error.message, error);
    }
  }

  /**
   * Reads the rows that others appended.
   *
   * @param until - the position to read up to; by default that of the last row at the first read.
   * @returns false if the log was read again from its start.
   */
  async #catchUp(until?: number): Promise<boolean> {
    if (this.#cursor === LOG_START) {
      const rows = await this.#retry(async (deadline) => this.#log.rowsKept?.(deadline));
      // Opening the store used this turn, and allocating memory takes milliseconds too.
      await nextTask();
      if (rows) this.#entries.reserve(rows);
      await nextTask();
    }
    // Rows that others append meanwhile belong to later calls: a slow reader would never catch up.
    let target = until;
    let isContinued = true;
    for (let pageSize = this.#pageSize; ; ) {
      if (this.#budget.isUsedUp()) await nextTask();
      const startedAt = performance.now();
      const limit = Math.min(pageSize, (target ?? Infinity) - this.#cursor.position);
      const answer = await this.#retry((deadline) => this.#log.read(this.#cursor, limit, deadline));
      const isSlow = performance.now() - startedAt > SLOW_READ_MS;
      if (answer.outcome === 'reload') {
        this.#reload();
        target = undefined;
        isContinued = false;
      } else if (answer.outcome === 'rows') {
        target ??= answer.head;
        await this.#apply(answer.rows, new Map());
        if (answer.rows.length < limit || this.#cursor.position >= (target ?? Infinity)) {
          this.#entries.hideExpired(answer.now);
          this.#reportLost();
          return isContinued;
        }
        if (isSlow) pageSize = Math.min(pageSize * 2, this.#pageSize * LARGEST_PAGE);
      }
    }
  }

  /** Repeats an append until it succeeds, and reads the rows before it that it did not return. */
  async #append(news: readonly NewRow[]): Promise<readonly LogRow[]> {
    for (;;) {
      const answer = await this.#retry((deadline) =>
        this.#log.append(news, this.#cursor, deadline),
      );
      if (answer.outcome === 'rows') {
        const { position } = this.#cursor;
        const next = answer.rows.find((row) => row.position > position)?.position ?? 0;
        if (this.#log.hasGaps === true || next <= position + 1) return answer.rows;
        if (await this.#catchUp(next - 1)) return answer.rows;
        // A fail-over came in between, and may have lost the rows of this append.
        continue;
      }
      if (answer.outcome === 'reload') this.#reload();
      await this.#catchUp();
    }
  }

  #reload(): void {
    this.#before ??= this.#entries.positions();
    this.#entries = new LocalEntries(this.#log.space);
    this.#cursor = LOG_START;
    this.#pruner.restart();
  }

  /** After a reload: how many entries the new history lacks. */
  #reportLost(): void {
    const before = this.#before;
    if (before === undefined) return;
    this.#before = undefined;
    const lost = this.#entries.countMissing(before);
    const what = lost === 0 ? 'no entry is lost' : `${lost} entries that were remembered are lost`;
    const message = `${this.#log.engine}: the log does not continue what was read before, and was read again: ${what}`;
    this.#options.onWarning({ code: 'MEMORY_RELOADED', message });
  }

  readonly #read = (after: LogCursor, limit: number): Promise<LogAnswer> =>
    this.#retry((deadline) => this.#log.read(after, limit, deadline));

  #retry<T>(call: (deadline: number) => Promise<T>): Promise<T> {
    return retryTransient(this.#log.engine, this.#options, call);
  }
}

function isCompared(askers: readonly PendingRequest[] | undefined): boolean {
  return askers?.some(({ request }) => 'compare' in request && request.compare) === true;
}
