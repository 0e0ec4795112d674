import { codeOf, messageOf } from '@kp/foundation';
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
import { ROW_KINDS, TransientError } from '../log/log.ts';
import type { StoredNamespace } from '../log/options.ts';
import { checkBytes, toBytes } from '../log/vector-bytes.ts';
import { checkLogTable, findBytesInPostgres } from './postgres-checks.ts';
import type { PostgresPool, PreparedStatement } from './postgres-client.ts';
import { removeErasedBytes } from './postgres-erasure.ts';
import { explainPostgres, NamespaceMovedError } from './postgres-errors.ts';
import { forgetKeysIn } from './postgres-forget-keys.ts';
import { MAINTENANCE_MS, query, transaction } from './postgres-query.ts';

const PRUNE_BATCH_SIZE = 1000;
const NO_OPERATION = '00000000-0000-0000-0000-000000000000';

const APPEND = 'SELECT * FROM kp_memory.append($1, $2, $3, $4, $5, $6, $7, $8)';
const UNIQUE_VIOLATION = '23505';
// The name is not there, or is there already: another connection of the server than last time.
const NOT_PREPARED: ReadonlySet<string> = new Set(['26000', '42P05']);

interface StoredRow {
  readonly at: number;
  readonly kind: number;
  readonly operation: string | null;
  readonly added_at: number;
  readonly key: string;
  readonly vector: Uint8Array | null;
}

/** The rows that a function answered, and what its last one says. */
interface Stored {
  readonly rows: LogRow[];
  readonly now: number;
  readonly at: number;
}

/** One namespace of a Postgres database. */
export class PostgresLog implements MemoryLog {
  readonly engine = 'postgres';
  readonly space: StoredNamespace;
  readonly #pool: PostgresPool;
  readonly #spaceId: number;
  // Parsing it at each call would take a quarter of the round trip. Behind a pooler, another program
  // may have prepared the name: it must never stand for another text.
  readonly #appendNew: PreparedStatement;
  #isPrepared = true;

  constructor(pool: PostgresPool, spaceId: number, space: StoredNamespace) {
    this.#pool = pool;
    this.#spaceId = spaceId;
    this.space = space;
    this.#appendNew = {
      name: `kp_memory_append_${spaceId}`,
      text: `SELECT * FROM kp_memory.append_${spaceId}($1, $2, $3, $4, $5, $6, $7)`,
    };
  }

  read(after: LogCursor, limit: number, deadline: number): Promise<LogAnswer> {
    const values = [this.#spaceId, after.position, after.operationId || NO_OPERATION, limit];
    return this.#answer(deadline, 'SELECT * FROM kp_memory.read($1, $2, $3, $4)', values);
  }

  async append(
    news: readonly NewRow[],
    after: LogCursor,
    deadline: number,
    mostOthers: number,
  ): Promise<LogAnswer> {
    const values = [
      after.position,
      after.operationId || NO_OPERATION,
      news.map(({ operationId }) => operationId),
      news.map(({ kind }) => ROW_KINDS.indexOf(kind)),
      news.map(({ key }) => key),
      // One parameter: pg sends a Buffer as it is, but an array of them as text.
      Buffer.concat(news.map(({ vector }) => toBytes(vector))),
      mostOthers,
    ];
    try {
      const statement = this.#isPrepared ? this.#appendNew : this.#appendNew.text;
      const { rows, now, at } = await this.#ask(deadline, statement, values, this.#spaceId);
      for (const [i, { kind, key, operationId }] of news.entries()) {
        rows.push({ position: at + i, kind, key, operationId, addedAt: now, vector: undefined });
      }
      return { outcome: 'rows', rows, now };
    } catch (error) {
      const code = postgresCode(error);
      // Some of it was appended before, and its answer was lost.
      if (code === UNIQUE_VIOLATION) {
        return this.#answer(deadline, APPEND, [this.#spaceId, ...values]);
      }
      if (!this.#isPrepared || !NOT_PREPARED.has(code)) return outcomeOf(error);
      this.#isPrepared = false;
      const message = `prepared statements are not used any more: ${messageOf(error)}`;
      throw new TransientError(message, { cause: error });
    }
  }

  async erase(key: string, operationId: string, deadline: number): Promise<Erasure> {
    const [row] = await this.#query<{ removed: number }>(
      deadline,
      'SELECT kp_memory.erase($1, $2, $3) AS removed',
      [this.#spaceId, key, operationId],
    );
    const table = `log_${this.#spaceId}`;
    const bytes = await removeErasedBytes(this.#pool, this.#spaceId, table).catch((error) => {
      throw explainPostgres(error);
    });
    return { removed: row?.removed ?? 0, ...bytes };
  }

  async forgetKeys(
    keys: readonly string[],
    lastPosition: number,
    operationId: string,
    deadline: number,
  ): Promise<number> {
    try {
      return await transaction(this.#pool, deadline, (client) =>
        forgetKeysIn(client, this.#spaceId, keys, lastPosition, operationId),
      );
    } catch (error) {
      throw explainPostgres(error);
    }
  }

  async prune(before: number): Promise<void> {
    const set = 'UPDATE kp_memory.space SET pruned = greatest(pruned, $2) WHERE id = $1';
    const until = performance.now() + MAINTENANCE_MS;
    await this.#query(until, set, [this.#spaceId, before - 1]);
    // In pieces, so that no transaction lasts.
    const remove = `
      WITH gone AS (
        DELETE FROM kp_memory.log_${this.#spaceId} WHERE space = $1 AND position IN (
          SELECT position FROM kp_memory.log_${this.#spaceId} WHERE space = $1 AND position < $2
          ORDER BY position LIMIT ${PRUNE_BATCH_SIZE}
        ) RETURNING 1
      ) SELECT count(*)::integer AS gone FROM gone`;
    for (;;) {
      const [row] = await this.#query<{ gone: number }>(until, remove, [this.#spaceId, before]);
      if ((row?.gone ?? 0) < PRUNE_BATCH_SIZE) return;
    }
  }

  check(): Promise<readonly string[]> {
    return checkLogTable(this.#pool, this.#spaceId, this.space.dimensions);
  }

  findBytes(key: string): Promise<ByteSearch> {
    return findBytesInPostgres(this.#pool, `log_${this.#spaceId}`, key);
  }

  async facts(): Promise<LogFacts & { readonly head: number }> {
    const [row] = await this.#query<{ rows: number; head: number; bytes: number; version: string }>(
      performance.now() + MAINTENANCE_MS,
      `SELECT (head - pruned)::double precision AS rows, head::double precision AS head,
         pg_total_relation_size('kp_memory.log_' || id)::double precision AS bytes,
         current_setting('server_version') AS version
       FROM kp_memory.space WHERE id = $1`,
      [this.#spaceId],
    );
    if (row === undefined) throw new NamespaceMovedError('no namespace');
    const { version: server, ...facts } = row;
    return { index: 'log', ...facts, server };
  }

  async close(): Promise<void> {
    // The pool belongs to whoever opened the memory.
  }

  async #answer(deadline: number, text: string, values: unknown[]): Promise<LogAnswer> {
    try {
      const { rows, now, at } = await this.#ask(deadline, text, values);
      return { outcome: 'rows', rows, now, head: at > 0 ? at : undefined };
    } catch (error) {
      return outcomeOf(error);
    }
  }

  async #ask(
    deadline: number,
    statement: string | PreparedStatement,
    values: unknown[],
    queueOf?: number,
  ): Promise<Stored> {
    const stored = await this.#query<StoredRow>(deadline, statement, values, queueOf);
    const { at = 0, added_at: now = 0 } = stored.pop() ?? {};
    return { rows: stored.map((row) => this.#rowOf(row)), now, at };
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

  #query<T>(
    deadline: number,
    statement: string | PreparedStatement,
    values: unknown[] = [],
    queueOf?: number,
  ): Promise<T[]> {
    return query<T>(this.#pool, deadline, statement, values, queueOf).catch((error: unknown) => {
      throw explainPostgres(error);
    });
  }
}

/** What Postgres said, under what is said of it. */
function postgresCode(error: unknown): string {
  return codeOf(Reflect.get(Object(error), 'cause') ?? error) ?? '';
}

/** What an error of the functions stands for; throws any other. */
function outcomeOf(error: unknown): LogAnswer {
  const code = postgresCode(error);
  if (code === 'KP001') return { outcome: 'reload' };
  if (code === 'KP002') return { outcome: 'behind' };
  throw error;
}
