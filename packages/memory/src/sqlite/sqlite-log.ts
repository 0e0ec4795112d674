import type { LogAnswer, LogFacts, LogRow, Mark, MemoryLog, NewRow } from '../log/log.ts';
import { MOST_ROWS_WITH_APPEND, ROW_KINDS, TransientError } from '../log/log.ts';
import { fromBytes, toBytes } from '../log/vector-bytes.ts';
import type { StoredSpace } from '../options.ts';
import type { SqliteDatabase } from './sqlite-drivers.ts';
import { sqliteFailure } from './sqlite-drivers.ts';
import { pragma } from './sqlite-schema.ts';
import { prepareStatements } from './sqlite-statements.ts';

const FORGET = ROW_KINDS.indexOf('forget');
const UNKNOWN = -1;

interface StoredRow {
  readonly position: number;
  readonly kind: number;
  /** In hexadecimal. */
  readonly operation: string;
  readonly added_at: number;
  readonly key: string;
  readonly vector: Uint8Array | null;
}

/** One namespace of a SQLite file. Nothing here waits but for the lock of another process. */
export class SqliteLog implements MemoryLog {
  readonly engine = 'sqlite';
  readonly space: StoredSpace;
  readonly #database: SqliteDatabase;
  readonly #spaceId: number;
  readonly #now: () => number;
  readonly #explain: (error: unknown) => Error;
  readonly #statements: ReturnType<typeof prepareStatements>;
  /** Changes when another connection has committed. */
  #dataVersion = -1;
  /** The last row, while nobody else has committed. */
  #end = UNKNOWN;

  constructor(
    database: SqliteDatabase,
    spaceId: number,
    space: StoredSpace,
    now: () => number,
    explain: (error: unknown) => Error,
  ) {
    this.#database = database;
    this.#spaceId = spaceId;
    this.space = space;
    this.#now = now;
    this.#explain = explain;
    this.#statements = prepareStatements(database);
  }

  async read(after: Mark, limit: number, deadline: number): Promise<LogAnswer> {
    return this.#patiently(deadline, () => {
      if (this.#isAtEnd(after)) return { outcome: 'rows', rows: [], now: this.#now() };
      if (!this.#continues(after)) return { outcome: 'reload' };
      const rows = this.#rowsAfter(after.position, limit);
      if (rows.length < limit) this.#end = rows.at(-1)?.position ?? after.position;
      return { outcome: 'rows', rows, now: this.#now() };
    });
  }

  async append(rows: readonly NewRow[], after: Mark, deadline: number): Promise<LogAnswer> {
    return this.#patiently(deadline, () =>
      this.#transaction((): LogAnswer => {
        let others: LogRow[] = [];
        if (!this.#isAtEnd(after)) {
          if (!this.#continues(after)) return { outcome: 'reload' };
          others = this.#rowsAfter(after.position, MOST_ROWS_WITH_APPEND + 1);
          if (others.length > MOST_ROWS_WITH_APPEND) return { outcome: 'behind' };
        }
        const now = this.#now();
        const own = rows.map((row) => this.#insert(row, now));
        const seen = new Set(others.map(({ position }) => position));
        const added = own.filter(({ position }) => !seen.has(position));
        const all = [...others, ...added].sort((a, b) => a.position - b.position);
        this.#end = all.at(-1)?.position ?? after.position;
        return { outcome: 'rows', rows: all, now };
      }),
    );
  }

  async forget(key: string, deadline: number): Promise<number> {
    const erased = await this.#patiently(deadline, () =>
      this.#transaction(() => {
        const { withKey, erase, insert } = this.#statements;
        const found = withKey.all(key, this.#spaceId) as { position: number }[];
        if (found.length === 0) return 0;
        for (const { position } of found) erase.run(position);
        const positions = JSON.stringify(found.map(({ position }) => position));
        const operation = crypto.getRandomValues(new Uint8Array(16));
        insert.run(this.#spaceId, FORGET, operation, this.#now(), positions, null);
        this.#end = UNKNOWN;
        return found.length;
      }),
    );
    if (erased > 0) {
      // The old bytes are in the log of writes until it begins anew; asked again while others read.
      await this.#patiently(deadline, () => {
        const row = this.#statements.checkpoint.get();
        if ((row as { busy: number }).busy !== 0)
          throw new TransientError('the file is being read');
      });
    }
    return erased;
  }

  async prune(before: number): Promise<void> {
    const { setPruned, prune } = this.#statements;
    const patiently = (task: () => number) =>
      this.#patiently(performance.now() + 5000, () => this.#transaction(task));
    await patiently(() => Number(setPruned.run(before - 1, this.#spaceId).changes));
    while ((await patiently(() => Number(prune.run(this.#spaceId, before).changes))) > 0) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async facts(): Promise<LogFacts> {
    const bytes = pragma(this.#database, 'page_count') * pragma(this.#database, 'page_size');
    const { rows } = this.#statements.count.get(this.#spaceId) as { rows: number };
    return { rows, bytes, version: pragma(this.#database, 'user_version') };
  }

  async close(): Promise<void> {
    this.#database.close();
  }

  /** Whether there is surely nothing after the mark. */
  #isAtEnd(after: Mark): boolean {
    const { data_version } = this.#statements.dataVersion.get() as { data_version: number };
    if (data_version !== this.#dataVersion) this.#end = UNKNOWN;
    this.#dataVersion = data_version;
    return after.position === this.#end;
  }

  #continues({ position, operationId }: Mark): boolean {
    if (position === 0) return true;
    const { pruned } = this.#statements.pruned.get(this.#spaceId) as { pruned: number };
    if (position <= pruned) return false;
    const row = this.#statements.operationAt.get(position) as { operation: string } | undefined;
    return row?.operation !== undefined && uuidOf(row.operation) === operationId;
  }

  #rowsAfter(position: number, limit: number): LogRow[] {
    const rows = this.#statements.rowsAfter.all(this.#spaceId, position, limit) as StoredRow[];
    const { dimensions } = this.space;
    return rows.map(({ position, kind, operation, added_at, key, vector }) => ({
      position,
      kind: ROW_KINDS[kind] ?? 'erased',
      key,
      operationId: uuidOf(operation),
      addedAt: added_at,
      vector:
        vector === null ? undefined : fromBytes(vector, dimensions, `kp_log, row ${position}`),
    }));
  }

  #insert({ kind, key, operationId, vector }: NewRow, now: number): LogRow {
    const { insert, positionOf } = this.#statements;
    const operation = bytesOf(operationId);
    const row = { kind, key, operationId, addedAt: now, vector: undefined };
    const code = ROW_KINDS.indexOf(kind);
    const result = insert.run(this.#spaceId, code, operation, now, key, toBytes(vector));
    if (Number(result.changes) > 0) return { ...row, position: Number(result.lastInsertRowid) };
    const found = positionOf.get(operation, this.#spaceId) as { position: number };
    return { ...row, position: found.position };
  }

  #transaction<T>(task: () => T): T {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const result = task();
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      this.#end = UNKNOWN;
      try {
        this.#database.exec('ROLLBACK');
      } catch {
        // A full disk has rolled it back already; the error to tell of is the first.
      }
      throw error;
    }
  }

  /** Tries again, without holding the event loop, while another process has the lock. */
  async #patiently<T>(deadline: number, task: () => T): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      try {
        return task();
      } catch (error) {
        const isBusy = error instanceof TransientError || sqliteFailure(error) === 'busy';
        if (!isBusy) throw this.#explain(error);
        if (performance.now() >= deadline) {
          throw new TransientError('another process holds the file', { cause: error });
        }
        const pauseMs = attempt < 3 ? 0 : Math.min(attempt, 20) * Math.random();
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    }
  }
}

function bytesOf(uuid: string): Uint8Array {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}

function uuidOf(hex: string): string {
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20)];
  return `${parts.join('-')}-${hex.slice(20)}`;
}
