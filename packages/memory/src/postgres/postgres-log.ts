import type { LogAnswer, LogFacts, LogRow, Mark, MemoryLog, NewRow } from '../log/log.ts';
import { MOST_ROWS_WITH_APPEND, ROW_KINDS } from '../log/log.ts';
import { checkBytes, toBytes } from '../log/vector-bytes.ts';
import type { StoredSpace } from '../options.ts';
import { explainPostgres, MAINTENANCE_MS } from './postgres-errors.ts';
import { codeOf, type PostgresPool, query } from './postgres-pool.ts';

const PRUNED_AT_ONCE = 1000;
const NO_OPERATION = '00000000-0000-0000-0000-000000000000';

interface StoredRow {
  readonly at: number;
  readonly kind: number;
  readonly operation: string | null;
  readonly added_at: number;
  readonly key: string;
  readonly vector: Uint8Array | null;
}

/** One namespace of a Postgres database. */
export class PostgresLog implements MemoryLog {
  readonly engine = 'postgres';
  readonly space: StoredSpace;
  readonly #pool: PostgresPool;
  readonly #spaceId: number;

  constructor(pool: PostgresPool, spaceId: number, space: StoredSpace) {
    this.#pool = pool;
    this.#spaceId = spaceId;
    this.space = space;
  }

  read(after: Mark, limit: number, deadline: number): Promise<LogAnswer> {
    return this.#ask(deadline, 'SELECT * FROM kp_memory.read($1, $2, $3, $4)', [
      this.#spaceId,
      after.position,
      after.operationId === '' ? NO_OPERATION : after.operationId,
      limit,
    ]);
  }

  append(rows: readonly NewRow[], after: Mark, deadline: number): Promise<LogAnswer> {
    const statement = 'SELECT * FROM kp_memory.append($1, $2, $3, $4, $5, $6, $7, $8)';
    return this.#ask(deadline, statement, [
      this.#spaceId,
      after.position,
      after.operationId === '' ? NO_OPERATION : after.operationId,
      rows.map(({ operationId }) => operationId),
      rows.map(({ kind }) => ROW_KINDS.indexOf(kind)),
      rows.map(({ key }) => key),
      // One parameter: pg sends a Buffer as it is, but an array of them as text.
      Buffer.concat(rows.map(({ vector }) => toBytes(vector))),
      MOST_ROWS_WITH_APPEND,
    ]);
  }

  async forget(key: string, deadline: number): Promise<number> {
    const [row] = await this.#query<{ erased: number }>(
      deadline,
      'SELECT kp_memory.forget($1, $2) AS erased',
      [this.#spaceId, key],
    );
    const erased = row?.erased ?? 0;
    if (erased > 0) {
      // What an update leaves behind goes with the old file of the partition.
      const until = performance.now() + MAINTENANCE_MS;
      await this.#query(until, `VACUUM (FULL) kp_memory.log_${this.#spaceId}`);
    }
    return erased;
  }

  async prune(before: number): Promise<void> {
    const set = 'UPDATE kp_memory.space SET pruned = greatest(pruned, $2) WHERE id = $1';
    const until = performance.now() + MAINTENANCE_MS;
    await this.#query(until, set, [this.#spaceId, before - 1]);
    // In pieces, so that no transaction lasts.
    const remove = `
      WITH gone AS (
        DELETE FROM kp_memory.log WHERE space = $1 AND position IN (
          SELECT position FROM kp_memory.log WHERE space = $1 AND position < $2
          ORDER BY position LIMIT ${PRUNED_AT_ONCE}
        ) RETURNING 1
      ) SELECT count(*)::integer AS gone FROM gone`;
    for (;;) {
      const [row] = await this.#query<{ gone: number }>(until, remove, [this.#spaceId, before]);
      if ((row?.gone ?? 0) < PRUNED_AT_ONCE) return;
    }
  }

  async facts(): Promise<LogFacts> {
    const [row] = await this.#query<{ rows: number; bytes: number; version: string }>(
      performance.now() + MAINTENANCE_MS,
      `SELECT (head - pruned)::double precision AS rows,
         pg_total_relation_size('kp_memory.log_' || id)::double precision AS bytes,
         current_setting('server_version') AS version
       FROM kp_memory.space WHERE id = $1`,
      [this.#spaceId],
    );
    const { rows = 0, bytes = 0, version = '' } = row ?? {};
    return { index: 'log', rows, bytes, server: version };
  }

  async close(): Promise<void> {
    // The pool belongs to whoever opened the memory.
  }

  async #ask(deadline: number, text: string, values: unknown[]): Promise<LogAnswer> {
    let stored: StoredRow[];
    try {
      stored = await this.#query<StoredRow>(deadline, text, values);
    } catch (error) {
      const code = codeOf(Reflect.get(Object(error), 'cause') ?? error);
      if (code === 'KP001') return { outcome: 'reload' };
      if (code === 'KP002') return { outcome: 'behind' };
      throw error;
    }
    const last = stored.pop();
    const rows = stored.map((row) => this.#rowOf(row));
    return { outcome: 'rows', rows, now: last?.added_at ?? 0 };
  }

  #rowOf({ at, kind, operation, added_at, key, vector }: StoredRow): LogRow {
    const { dimensions } = this.space;
    return {
      position: at,
      kind: ROW_KINDS[kind] ?? 'erased',
      key,
      operationId: operation ?? '',
      addedAt: added_at,
      vector:
        vector === null ? undefined : checkBytes(vector, dimensions, `kp_memory.log, row ${at}`),
    };
  }

  #query<T>(deadline: number, text: string, values: unknown[] = []): Promise<T[]> {
    return query<T>(this.#pool, deadline, text, values).catch((error: unknown) => {
      throw explainPostgres(error);
    });
  }
}
