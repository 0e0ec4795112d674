import type { LogAnswer, LogFacts, LogRow, Mark, MemoryLog, NewRow } from '../log/log.ts';
import { MOST_ROWS_WITH_APPEND, ROW_KINDS, TransientError } from '../log/log.ts';
import { nextTurn } from '../log/turns.ts';
import { toBytes } from '../log/vector-bytes.ts';
import type { StoredSpace } from '../options.ts';
import type { SqliteDatabase } from './sqlite-drivers.ts';
import { sqliteFailure } from './sqlite-drivers.ts';
import {
  bytesOf,
  logRowOf,
  prepareStatements,
  type StoredRow,
  uuidOf,
} from './sqlite-statements.ts';

const FORGET = ROW_KINDS.indexOf('forget');
const UNKNOWN = -1;

/** One namespace of a SQLite file. Nothing here waits but for the lock of another process. */
export class SqliteLog implements MemoryLog {
  readonly engine = 'sqlite';
  readonly isSynchronous = true;
  /** Read in less than a millisecond, as nothing else runs meanwhile. */
  readonly readBytes = 60_000;
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
  /** The last row of all namespaces when {@link #end} was the last of this. */
  #newest = UNKNOWN;

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
      const rows = this.#rowsAfter(after.position, limit, false);
      const last = rows.pop();
      if (last !== undefined) rows.push({ ...last, operationId: this.#operationAt(last.position) });
      if (rows.length < limit) {
        this.#end = last?.position ?? after.position;
        this.#newest = UNKNOWN;
      }
      return { outcome: 'rows', rows, now: this.#now() };
    });
  }

  async append(rows: readonly NewRow[], after: Mark, deadline: number): Promise<LogAnswer> {
    return this.#patiently(
      deadline,
      () => this.#appendNext(rows, after) ?? this.#transaction(() => this.#append(rows, after)),
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
      await nextTurn();
    }
  }

  async rowsKept(deadline: number): Promise<number> {
    return this.#patiently(deadline, () => {
      const { rows } = this.#statements.kept.get(this.#spaceId) as { rows: number };
      return rows;
    });
  }

  async facts(): Promise<LogFacts> {
    return { ...(this.#statements.facts.get(this.#spaceId) as LogFacts) };
  }

  async close(): Promise<void> {
    this.#database.close();
  }

  /**
   * Appends one row by one statement, which takes half as long as a transaction of several. That it
   * comes next after the newest row shows that nobody came in between.
   *
   * @returns undefined when somebody may have; the row may then be there, and is known again.
   */
  #appendNext([row, ...others]: readonly NewRow[], after: Mark): LogAnswer | undefined {
    const isAlone = row !== undefined && others.length === 0;
    if (!isAlone || this.#newest === UNKNOWN || after.position !== this.#end) return undefined;
    const now = this.#now();
    const next = this.#newest + 1;
    this.#newest = UNKNOWN;
    const appended = this.#insert(row, now);
    if (appended?.position !== next) return undefined;
    this.#end = next;
    this.#newest = next;
    return { outcome: 'rows', rows: [appended], now };
  }

  #append(rows: readonly NewRow[], after: Mark): LogAnswer {
    let others: LogRow[] = [];
    if (!this.#isAtEnd(after)) {
      if (!this.#continues(after)) return { outcome: 'reload' };
      others = this.#rowsAfter(after.position, MOST_ROWS_WITH_APPEND + 1, true);
      if (others.length > MOST_ROWS_WITH_APPEND) return { outcome: 'behind' };
    }
    const now = this.#now();
    const own = rows.map((row) => this.#insert(row, now) ?? this.#found(row, now));
    const seen = new Set(others.map(({ position }) => position));
    const added = own.filter(({ position }) => !seen.has(position));
    const all = [...others, ...added].sort((a, b) => a.position - b.position);
    this.#end = all.at(-1)?.position ?? after.position;
    const { newest } = this.#statements.newest.get() as { newest: number };
    this.#newest = newest;
    return { outcome: 'rows', rows: all, now };
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
    const found = this.#operationAt(position);
    return found !== undefined && (operationId === '' || found === operationId);
  }

  #operationAt(position: number): string | undefined {
    const row = this.#statements.operationAt.get(position) as { operation: string } | undefined;
    return row?.operation === undefined ? undefined : uuidOf(row.operation);
  }

  /** @param isNamed - whether the rows come with their operations, which takes time. */
  #rowsAfter(position: number, limit: number, isNamed: boolean): LogRow[] {
    const { namedRowsAfter, rowsAfter } = this.#statements;
    const statement = isNamed ? namedRowsAfter : rowsAfter;
    const rows = statement.all(this.#spaceId, position, limit) as StoredRow[];
    return rows.map((row) => logRowOf(row, this.space.dimensions));
  }

  /** Undefined when the operation is there already. */
  #insert({ kind, key, operationId, vector }: NewRow, now: number): LogRow | undefined {
    const code = ROW_KINDS.indexOf(kind);
    const { changes, lastInsertRowid } = this.#statements.insert.run(
      this.#spaceId,
      code,
      bytesOf(operationId),
      now,
      key,
      toBytes(vector),
    );
    if (Number(changes) === 0) return undefined;
    const position = Number(lastInsertRowid);
    return { position, kind, key, operationId, addedAt: now, vector: undefined };
  }

  /** The row of an operation that is there. */
  #found({ kind, key, operationId }: NewRow, now: number): LogRow {
    const found = this.#statements.positionOf.get(key, this.#spaceId, bytesOf(operationId));
    const { position } = found as { position: number };
    return { position, kind, key, operationId, addedAt: now, vector: undefined };
  }

  #transaction<T>(task: () => T): T {
    this.#statements.begin.run();
    try {
      const result = task();
      this.#statements.commit.run();
      return result;
    } catch (error) {
      this.#end = UNKNOWN;
      try {
        this.#statements.rollback.run();
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
