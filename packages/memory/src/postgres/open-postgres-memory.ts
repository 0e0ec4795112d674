import { MemoryStoreError } from '../errors.ts';
import { createKeyHash } from '../key-hash.ts';
import { type DurableMemory, openLogMemory } from '../log/log-memory.ts';
import { persist } from '../log/persist.ts';
import {
  checkSpace,
  type MemoryOptions,
  newSpace,
  type ResolvedOptions,
  resolveOptions,
  type StoredSpace,
} from '../options.ts';
import { explainPostgres, PostgresLog } from './postgres-log.ts';
import { createPool, type PostgresClient, type PostgresPool, withClient } from './postgres-pool.ts';
import { MIGRATIONS } from './postgres-schema.ts';

/**
 * A memory in a Postgres database (15 or later; no extension needed), in the schema `kp_memory`,
 * which is made when it is not there.
 *
 * @param source - a URL, for connections of its own, or a `Pool` of `pg`, which stays yours to end.
 * @throws {@link MemoryStoreError}
 */
export async function openPostgresMemory(
  source: string | PostgresPool,
  options: MemoryOptions = {},
): Promise<DurableMemory> {
  const resolved = resolveOptions(options);
  const isOurs = typeof source === 'string';
  const pool = isOurs ? await createPool(source) : source;
  if (isOurs) {
    // Of connections that wait for work; a call that needs one finds out by itself.
    pool.on('error', (cause) => {
      const message = `postgres: a connection was lost: ${cause.message}`;
      resolved.onWarning({ code: 'MEMORY_RETRIED', message, cause });
    });
  }
  try {
    const keyCheck = createKeyHash(resolved.hashKeys).check;
    const { id, space } = await persist('postgres', resolved, (deadline) =>
      withClient(pool, deadline, (client) => prepare(client, resolved, keyCheck)).catch((error) => {
        throw explainPostgres(error);
      }),
    );
    return await openLogMemory(new PostgresLog(pool, id, space, isOurs), resolved);
  } catch (error) {
    if (isOurs) await pool.end().catch(() => undefined);
    throw error;
  }
}

/** Any number that no other program is likely to lock by. */
const MIGRATION_LOCK = 0x4b506d31;

interface SpaceRow {
  readonly id: number;
  readonly namespace: string;
  readonly embedder_id: string;
  readonly dimensions: number;
  readonly max_elements: number;
  readonly ttl_ms: number | null;
  readonly key_check: string;
}

const FIND_SPACE = `
  SELECT id, namespace, embedder_id, dimensions, max_elements::double precision, ttl_ms, key_check
  FROM kp_memory.space WHERE namespace = $1`;

async function prepare(
  client: PostgresClient,
  options: ResolvedOptions,
  keyCheck: string,
): Promise<{ readonly id: number; readonly space: StoredSpace }> {
  await client.query('BEGIN');
  try {
    // Of several who open first, one makes the schema and the others find it.
    await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await migrate(client);
    const entered = await enterSpace(client, options, keyCheck);
    await client.query('COMMIT');
    return entered;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

async function migrate(client: PostgresClient): Promise<void> {
  const { rows } = await client.query(
    "SELECT to_regclass('kp_memory.version') IS NOT NULL AS is_there",
  );
  const isThere = (rows[0] as { is_there: boolean }).is_there;
  if (!isThere) {
    await client.query('CREATE SCHEMA IF NOT EXISTS kp_memory');
    await client.query('CREATE TABLE kp_memory.version (version integer NOT NULL)');
    await client.query('INSERT INTO kp_memory.version VALUES (0)');
  }
  const found = await client.query('SELECT version FROM kp_memory.version');
  const { version } = found.rows[0] as { version: number };
  if (version > MIGRATIONS.length) {
    throw new MemoryStoreError({
      code: 'MEMORY_NEWER',
      subject: 'postgres, schema kp_memory',
      expected: `version ${MIGRATIONS.length} or before`,
      received: `version ${version}`,
      remedy: 'update @kp/memory',
    });
  }
  if (version === MIGRATIONS.length) return;
  for (const sql of MIGRATIONS.slice(version)) await client.query(sql);
  await client.query('UPDATE kp_memory.version SET version = $1', [MIGRATIONS.length]);
}

async function enterSpace(
  client: PostgresClient,
  options: ResolvedOptions,
  keyCheck: string,
): Promise<{ readonly id: number; readonly space: StoredSpace }> {
  const found = (await client.query(FIND_SPACE, [options.namespace])).rows[0];
  if (found !== undefined) {
    const row = found as SpaceRow;
    const space = {
      namespace: row.namespace,
      embedderId: row.embedder_id,
      dimensions: row.dimensions,
      maxElements: row.max_elements,
      ttlMs: row.ttl_ms ?? Infinity,
      keyCheck: row.key_check,
    };
    checkSpace(space, options, keyCheck);
    return { id: row.id, space };
  }
  const space = newSpace(options, keyCheck);
  const { rows } = await client.query(
    `INSERT INTO kp_memory.space (namespace, embedder_id, dimensions, max_elements, ttl_ms, key_check)
     VALUES ($1, $2, $3, $4, $5, $6) RETURNING id`,
    [
      space.namespace,
      space.embedderId,
      space.dimensions,
      space.maxElements,
      Number.isFinite(space.ttlMs) ? space.ttlMs : null,
      space.keyCheck,
    ],
  );
  const { id } = rows[0] as { id: number };
  await client.query(
    `CREATE TABLE kp_memory.log_${id} PARTITION OF kp_memory.log FOR VALUES IN (${id})`,
  );
  await client.query(`ALTER TABLE kp_memory.log_${id} ALTER COLUMN vector SET STORAGE EXTERNAL`);
  return { id, space };
}
