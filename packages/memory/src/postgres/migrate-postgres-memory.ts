import { MemoryStoreError } from '../errors.ts';
import { retryTransient } from '../log/retry-transient.ts';
import type { MemoryIndex, MemoryOptions, ResolvedOptions } from '../options.ts';
import { copyRows, type Move } from './move-rows.ts';
import { connectPostgres } from './open-postgres-memory.ts';
import { explainPostgres, MAINTENANCE_MS } from './postgres-errors.ts';
import {
  createNamespace,
  findNamespace,
  type PostgresNamespace,
  withSchemaLock,
} from './postgres-namespaces.ts';
import { type PostgresClient, type PostgresPool, query, withClient } from './postgres-pool.ts';
import { prepareVectors } from './vector-extension.ts';

/** Where a namespace moves to, and who is told of it. */
export interface MigrationOptions
  extends Pick<MemoryOptions, 'namespace' | 'maxElements' | 'timeoutMs' | 'onWarning'> {
  /** Into what. */
  readonly to: MemoryIndex;
  /** Called now and then; `index` says that the server builds its index, which takes longest. */
  readonly onProgress?: (step: 'copy' | 'index', copied: number) => void;
  /** Ends it between two steps; what was copied is not copied again next time. */
  readonly signal?: AbortSignal;
}

/** The server may take a day to build an index. */
const INDEX_MS = 86_400_000;
/** Copied so often while others write; what is left then is copied while they wait. */
const MAX_CONCURRENT_ROUNDS = 10;
/** So few rows that whoever writes may wait for them. */
const FINAL_COPY_ROWS = 100;
/** What a process can hold. */
const MAX_LOG_ELEMENTS = 2_000_000;

/**
 * Moves a namespace from the log into an index on the server, or back. Nothing is lost; killed, it
 * goes on where it was when it is called again; of several who call it at once, all do the work
 * together. Towards the index, reads and writes go on as before; towards the log, reads do, and
 * writes are refused until it is done. Memories that are open follow by themselves. Calling it with
 * the index that the namespace has gives up a move that was begun.
 *
 * @param source - a URL or a `Pool` of `pg`, as for `openPostgresMemory`.
 * @returns how many rows this call copied; 0 when there was nothing to do.
 * @throws `MemoryStoreError`
 */
export async function migratePostgresMemory(
  source: string | PostgresPool,
  options: MigrationOptions,
): Promise<number> {
  const { pool, isOurs, resolved } = await connectPostgres(source, {
    ...options,
    index: options.to,
  });
  const call: Call = (task, withinMs = MAINTENANCE_MS) =>
    retryTransient('postgres', resolved, () =>
      withClient(pool, performance.now() + withinMs, task).catch((error: unknown) => {
        throw explainPostgres(error);
      }),
    );
  try {
    const move = await call((client) => beginMove(client, resolved, options));
    const copied = move === undefined ? 0 : await carryOut(call, move, options);
    await sweep(pool, resolved);
    return copied;
  } finally {
    if (isOurs) await pool.end();
  }
}

type Call = <T>(task: (client: PostgresClient) => Promise<T>, withinMs?: number) => Promise<T>;

async function beginMove(
  client: PostgresClient,
  { namespace }: ResolvedOptions,
  { to, maxElements }: MigrationOptions,
): Promise<Move | undefined> {
  return withSchemaLock(client, async () => {
    const found = await findNamespace(client, namespace);
    if (found === undefined) {
      throw new MemoryStoreError({
        code: 'MEMORY_LOCATION',
        subject: `namespace ${JSON.stringify(namespace)}`,
        expected: 'one that is there',
        received: 'none of this name',
      });
    }
    const { id: source, space, index } = found;
    // Whoever writes has written, or sees the move.
    await client.query('SELECT FROM kp_memory.space WHERE id = $1 FOR UPDATE', [source]);
    const begun = await client.query('SELECT target FROM kp_memory.move WHERE source = $1', [
      source,
    ]);
    const target = (begun.rows[0] as { target: number } | undefined)?.target;
    if (index === to) {
      if (target !== undefined) await giveUp(client, source, target);
      return undefined;
    }
    const limit = to === 'log' ? MAX_LOG_ELEMENTS : Number.POSITIVE_INFINITY;
    const most = maxElements ?? Math.min(space.maxElements, limit);
    await checkFits(client, found, most, limit);
    const vectors = await prepareVectors(client);
    const moved = { ...space, maxElements: most };
    if (target !== undefined) return { source, target, from: index, space: moved, vectors };
    // As large as the source until the end, so that what has left that leaves this.
    const unnamed = { ...space, namespace: `moving ${crypto.randomUUID()}` };
    const { id } = await createNamespace(client, unnamed, to);
    await client.query('INSERT INTO kp_memory.move (source, target) VALUES ($1, $2)', [source, id]);
    return { source, target: id, from: index, space: moved, vectors };
  });
}

async function giveUp(client: PostgresClient, source: number, target: number): Promise<void> {
  await client.query('DELETE FROM kp_memory.move WHERE source = $1', [source]);
  await client.query('DELETE FROM kp_memory.space WHERE id = $1', [target]);
}

/** @throws {@link MemoryStoreError} when entries would be lost. */
async function checkFits(
  client: PostgresClient,
  { id, space, index }: PostgresNamespace,
  most: number,
  limit: number,
): Promise<void> {
  let least = space.maxElements;
  if (index === 'hnsw') {
    const { rows } = await client.query('SELECT kp_memory.hnsw_size($1) AS size', [id]);
    least = (rows[0] as { size: number }).size;
  }
  if (most >= least && most <= limit) return;
  const atMost = Number.isFinite(limit) ? `, and at most ${limit}, which a process can hold` : '';
  throw new MemoryStoreError({
    code: 'MEMORY_OPTION_INVALID',
    subject: 'maxElements',
    expected: `at least ${least}, so that nothing is lost${atMost}`,
    received: `${most}`,
  });
}

async function carryOut(call: Call, move: Move, options: MigrationOptions): Promise<number> {
  const { to, signal, onProgress } = options;
  let copied = 0;
  const copyMost = async (rounds: number): Promise<void> => {
    for (let round = 0; round < rounds; round++) {
      signal?.throwIfAborted();
      const rows = await call((client) => copyRows(client, move));
      if (rows === 'done elsewhere') return;
      copied += rows;
      onProgress?.('copy', copied);
      if (rows < FINAL_COPY_ROWS) return;
    }
  };
  await copyMost(Number.POSITIVE_INFINITY);
  if (to === 'hnsw') {
    signal?.throwIfAborted();
    onProgress?.('index', copied);
    // One message, so that the server ends it even when this process does not live to see it.
    const text = `BEGIN; SET LOCAL statement_timeout = 0;
      SELECT kp_memory.hnsw_index(${move.target}, ${move.space.dimensions})
        WHERE EXISTS (SELECT FROM kp_memory.move WHERE target = ${move.target}); COMMIT`;
    await call((client) => client.query(text), INDEX_MS);
    await copyMost(MAX_CONCURRENT_ROUNDS);
  }
  signal?.throwIfAborted();
  return copied + (await call((client) => finish(client, move)));
}

/** Copies what is left while nobody writes, and puts the target in the place of the source. */
async function finish(client: PostgresClient, move: Move): Promise<number> {
  const { source, target, space } = move;
  let copied = 0;
  await client.query('BEGIN');
  try {
    const lock = 'SELECT head FROM kp_memory.space WHERE id = $1 FOR UPDATE';
    const { rows } = await client.query(lock, [source]);
    // None: another has finished it.
    if (rows.length > 0) {
      for (;;) {
        const more = await copyRows(client, move);
        if (more === 'done elsewhere' || more === 0) break;
        copied += more;
      }
      await client.query('DELETE FROM kp_memory.move WHERE source = $1', [source]);
      await client.query('DELETE FROM kp_memory.space WHERE id = $1', [source]);
      await client.query(
        `UPDATE kp_memory.space SET namespace = $2, head = greatest(head, $3), max_elements = $4
         WHERE id = $1`,
        [target, space.namespace, (rows[0] as { head: string }).head, space.maxElements],
      );
    }
    await client.query('COMMIT');
    return copied;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** Drops the tables of namespaces that are gone; what others hold stays until the next time. */
async function sweep(pool: PostgresPool, { onWarning }: ResolvedOptions): Promise<void> {
  const deadline = performance.now() + MAINTENANCE_MS;
  const gone = await query<{ name: string }>(
    pool,
    deadline,
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'kp_memory'::regnamespace AND relkind = 'r'
       AND relname ~ '^(log|hnsw)_[0-9]+$' AND NOT EXISTS (
         SELECT FROM kp_memory.space s WHERE s.id = substring(relname FROM '[0-9]+$')::integer)`,
  );
  for (const { name } of gone) {
    const drop = `SET lock_timeout = '3s'; DROP TABLE IF EXISTS kp_memory.${name}; RESET lock_timeout`;
    await query(pool, deadline, drop).catch((cause: unknown) => {
      const message = `postgres: table kp_memory.${name} is of no use any more and could not be dropped`;
      onWarning({ code: 'MEMORY_NOT_PRUNED', message, cause });
    });
  }
}
