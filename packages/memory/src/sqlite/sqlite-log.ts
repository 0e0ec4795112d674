import type { SqliteDatabase, SqliteValue } from '@kp/foundation';
import { damagedError, droppedError } from '../log/errors.ts';
import type {
  ByteSearch,
  Erasure,
  LogAnswer,
  LogCursor,
  LogFacts,
  LogRow,
  MemoryLog,
  NewRow,
} from '../log/log.ts';
import { ROW_KINDS } from '../log/log.ts';
import type { StoredNamespace } from '../log/options.ts';
import { toBytes } from '../log/vector-bytes.ts';
import {
  checkIntegrity,
  findBytesInFiles,
  pruneRows,
  truncateWriteAheadLog,
} from './sqlite-maintenance.ts';
import { checkPosition, type Positions } from './sqlite-positions.ts';
import type { SqliteNamespace } from './sqlite-schema.ts';
import {
  bytesOf,
  logRowOf,
  prepareStatements,
  type SqliteStatements,
  type StoredRow,
  uuidOf,
} from './sqlite-statements.ts';
import { SqliteTransactions } from './sqlite-transactions.ts';

const FORGET = ROW_KINDS.indexOf('forget');
const UNKNOWN = -1;
/** Takes about 10 ms. */
const ROWS_WITH_APPEND = 2000;

/** One namespace of a SQLite file. Only locks of other processes make calls wait. */
export class SqliteLog implements MemoryLog {
  readonly engine = 'sqlite';
  readonly isSynchronous = true;
  /** Files migrated from version 2 have positions of other namespaces in between. */
  readonly hasGaps = true;
  /** Takes less than a millisecond, which blocks the event loop. */
  readonly readBytes = 60_000;
  readonly space: StoredNamespace;
  readonly #database: SqliteDatabase;
  readonly #spaceId: number;
  readonly #positions: Positions;
  readonly #now: () => number;
  readonly #explain: (error: unknown) => Error;
  readonly #statements: SqliteStatements;
  readonly #transactions: SqliteTransactions;
  /** Changes when another connection has committed. */
  #dataVersion = -1;
  /** Position of the last row, until another connection commits. */
  #last = UNKNOWN;

  constructor(
    database: SqliteDatabase,
    { id, positions, space }: SqliteNamespace,
    now: () => number,
    explain: (error: unknown) => Error,
  ) {
    this.#database = database;
    this.#spaceId = id;
    this.#positions = positions;
    this.space = space;
    this.#now = now;
    this.#explain = explain;
    this.#statements = prepareStatements(database);
    this.#transactions = new SqliteTransactions(database, explain);
  }

  async read(after: LogCursor, limit: number, deadline: number): Promise<LogAnswer> {
    return this.#transactions.retryWhileBusy(deadline, () => {
      if (this.#isAtEnd(after)) return { outcome: 'rows', rows: [], now: this.#now() };
      if (!this.#continues(after)) return { outcome: 'reload' };
      const rows = this.#rowsAfter(after, limit, false);
      const last = rows.pop();
      if (last !== undefined) rows.push({ ...last, operationId: this.#operationAt(last.position) });
      if (rows.length < limit) {
        this.#last = last?.position ?? after.position;
      }
      return { outcome: 'rows', rows, now: this.#now() };
    });
  }

  async append(rows: readonly NewRow[], after: LogCursor, deadline: number): Promise<LogAnswer> {
    return this.#transactions.retryWhileBusy(
      deadline,
      () => this.#appendNext(rows, after) ?? this.#transaction(() => this.#append(rows, after)),
    );
  }

  async erase(key: string, operationId: string, deadline: number): Promise<Erasure> {
    const removed = await this.#transactions.retryWhileBusy(deadline, () =>
      this.#transaction(() => {
        const positions = this.#positionsOf(key);
        this.#forget(positions, operationId);
        return positions.length;
      }),
    );
    const { checkpoint } = this.#statements;
    return { removed, ...(await truncateWriteAheadLog(checkpoint, this.#transactions, deadline)) };
  }

  forgetKeys(
    keys: readonly string[],
    lastPosition: number,
    operationId: string,
    deadline: number,
  ): Promise<number> {
    return this.#transactions.retryWhileBusy(deadline, () =>
      this.#transaction(() => {
        const old = keys
          .map((key) => this.#positionsOf(key))
          .filter((positions) => positions.length > 0 && Math.max(...positions) <= lastPosition);
        this.#forget(old.flat(), operationId);
        return old.length;
      }),
    );
  }

  prune(before: number): Promise<void> {
    return pruneRows(this.#statements, this.#transactions, this.#spaceId, this.#positions, before);
  }

  async rowsKept(deadline: number): Promise<number> {
    const { start, end } = this.#positions;
    const { rows, bytes } = await this.#transactions.retryWhileBusy(
      deadline,
      () => this.#statements.kept.get(start, end) as { rows: number; bytes: number },
    );
    // Positions may have large gaps, or be damaged; the file cannot contain more vectors than this.
    return Math.max(0, Math.min(rows, Math.ceil(bytes / (this.space.dimensions * 4))));
  }

  async check(): Promise<readonly string[]> {
    try {
      return checkIntegrity(this.#database);
    } catch (error) {
      throw this.#explain(error);
    }
  }

  findBytes(key: string): Promise<ByteSearch> {
    return findBytesInFiles(this.#database, key);
  }

  async facts(): Promise<LogFacts & { readonly head: number }> {
    try {
      const { start, end } = this.#positions;
      const { last } = this.#statements.last.get(end) as { last: number | null };
      const facts = this.#statements.facts.get(this.#spaceId) as LogFacts;
      return { ...facts, head: last !== null && last > start ? last : 0 };
    } catch (error) {
      throw this.#explain(error);
    }
  }

  async close(): Promise<void> {
    this.#database.close();
  }

  /**
   * Appends one row with one statement, in half the time of a transaction.
   *
   * @returns undefined if another connection committed, the cursor has another history, or the
   *   operation exists.
   */
  #appendNext([row, ...others]: readonly NewRow[], after: LogCursor): LogAnswer | undefined {
    if (row === undefined || others.length > 0 || after.position !== this.#last) return undefined;
    const now = this.#now();
    const before = after.operationId === '' ? null : bytesOf(after.operationId);
    const appended = this.#appendAt(this.#placeOf(after) + 1, row, now, before);
    if (appended === undefined) return undefined;
    this.#last = appended.position;
    return { outcome: 'rows', rows: [appended], now };
  }

  #append(rows: readonly NewRow[], after: LogCursor): LogAnswer {
    let others: LogRow[] = [];
    if (!this.#isAtEnd(after)) {
      if (!this.#continues(after)) return { outcome: 'reload' };
      others = this.#rowsAfter(after, ROWS_WITH_APPEND + 1, true);
      if (others.length > ROWS_WITH_APPEND) return { outcome: 'behind' };
    }
    const now = this.#now();
    let last = others.at(-1)?.position ?? this.#placeOf(after);
    const own = rows.map((row) => {
      const appended = this.#appendAt(last + 1, row, now, null);
      last = appended?.position ?? last;
      return appended ?? this.#found(row.operationId, now);
    });
    this.#last = last;
    const seen = new Set(others.map(({ position }) => position));
    const added = own.filter(({ position }) => !seen.has(position));
    const all = [...others, ...added].sort((a, b) => a.position - b.position);
    return { outcome: 'rows', rows: all, now };
  }

  /** Whether no row after the cursor can exist. */
  #isAtEnd(after: LogCursor): boolean {
    const { data_version } = this.#statements.dataVersion.get() as { data_version: number };
    if (data_version !== this.#dataVersion) this.#last = UNKNOWN;
    this.#dataVersion = data_version;
    return after.position === this.#last;
  }

  #continues({ position, operationId }: LogCursor): boolean {
    const space = this.#statements.pruned.get(this.#spaceId) as { pruned: number } | undefined;
    if (!space) throw droppedError(this.space.namespace);
    if (position === 0) return true;
    if (position <= space.pruned) return false;
    const found = this.#operationAt(position);
    return found !== undefined && (operationId === '' || found === operationId);
  }

  #operationAt(position: number): string | undefined {
    const row = this.#statements.operationAt.get(position) as { operation: string } | undefined;
    return row?.operation === undefined ? undefined : uuidOf(row.operation);
  }

  #positionsOf(key: string): number[] {
    const rows = this.#statements.withKey.all(this.#spaceId, key) as { position: number }[];
    return rows.map(({ position }) => position);
  }

  /** Erases rows and appends a `forget` row with their positions. */
  #forget(positions: readonly number[], operationId: string): void {
    if (positions.length === 0) return;
    const { erase, last } = this.#statements;
    for (const position of positions) erase.run(position);
    const newest = last.get(this.#positions.end) as { last: number };
    const [operation, names] = [bytesOf(operationId), JSON.stringify(positions)];
    this.#insert(newest.last + 1, null, FORGET, operation, this.#now(), names, null);
    this.#last = UNKNOWN;
  }

  /** @param isNamed - whether to read operation ids, which takes longer. */
  #rowsAfter(cursor: LogCursor, limit: number, isNamed: boolean): LogRow[] {
    const statement = this.#statements[isNamed ? 'namedRowsAfter' : 'rowsAfter'];
    const rows = statement.all(this.#placeOf(cursor), this.#positions.end, limit) as StoredRow[];
    let before = this.#placeOf(cursor);
    return rows.map((row) => {
      const read = logRowOf(row, this.space.dimensions, before);
      before = read.position;
      return read;
    });
  }

  /** The position of a cursor; for the start, the one before the first row. */
  #placeOf({ position }: LogCursor): number {
    return Math.max(position, this.#positions.start);
  }

  /**
   * @param before - expected operation of the row before; null if it was checked.
   * @returns undefined if that row differs, or the operation exists.
   */
  #appendAt(
    position: number,
    row: NewRow,
    now: number,
    before: Uint8Array | null,
  ): LogRow | undefined {
    const { kind, key, operationId } = row;
    const code = ROW_KINDS.indexOf(kind);
    const [operation, vector] = [bytesOf(operationId), toBytes(row.vector)];
    if (!this.#insert(position, before, code, operation, now, key, vector)) return undefined;
    return { position, kind, key, operationId, addedAt: now, vector: undefined };
  }

  #insert(
    position: number,
    before: Uint8Array | null,
    ...columns: readonly SqliteValue[]
  ): boolean {
    checkPosition(position, this.#positions, this.space.namespace);
    const { changes } = this.#statements.insert.run(
      position,
      ...columns,
      this.#positions.end,
      before,
    );
    return Number(changes) > 0;
  }

  /** The row of an existing operation, which may have another key and vector. */
  #found(operationId: string, now: number): LogRow {
    const { withOperation } = this.#statements;
    const found = withOperation.get(bytesOf(operationId), this.#spaceId) as
      | Omit<StoredRow, 'operation' | 'added_at'>
      | null
      | undefined;
    if (!found) throw damagedError('kp_row', `the row of operation ${operationId}`, 'none');
    const row = logRowOf({ ...found, added_at: now }, this.space.dimensions, UNKNOWN);
    return { ...row, operationId };
  }

  #transaction<T>(task: () => T): T {
    try {
      return this.#transactions.run(task);
    } catch (error) {
      this.#last = UNKNOWN;
      throw error;
    }
  }
}
