import { MemoryStoreError } from '../log/errors.ts';
import type { MemoryIndex, ResolvedOptions } from '../log/options.ts';
import {
  checkNamespace,
  checkQuota,
  newNamespace,
  type StoredNamespace,
} from '../log/stored-namespace.ts';
import type { VectorType } from './hnsw-backend.ts';
import type { PostgresClient } from './postgres-client.ts';
import { FIRST_VERSION, MIGRATIONS, SCHEMA_VERSION } from './postgres-schema.ts';
import { prepareVectors } from './vector-extension.ts';

/** A namespace as stored in a database. */
export interface PostgresNamespace {
  /** Its number, which changes with each migration. */
  readonly id: number;
  readonly space: StoredNamespace;
  readonly index: MemoryIndex;
  /** Set if the server searches it. */
  readonly vectors: VectorType | undefined;
}

/** An arbitrary number that other programs are unlikely to lock. */
const SCHEMA_LOCK = 0x4b506d31;
const NAME_LOCK = 0x4b506d33;
/** Default of namespaces that are not in a process. */
const DEFAULT_MAX_ON_SERVER = 10_000_000;
/** The limit of an index of pgvector at half precision. */
const MAX_INDEXED_DIMENSIONS = 4000;

interface NamespaceRow {
  readonly id: number;
  readonly namespace: string;
  readonly embedder_id: string;
  readonly dimensions: number;
  readonly max_elements: number;
  readonly ttl_ms: number | null;
  readonly key_check: string;
  readonly index_kind: MemoryIndex;
}

const FIND_SPACE = `
  SELECT id, namespace, embedder_id, dimensions, max_elements::double precision, ttl_ms, key_check,
    index_kind
  FROM kp_memory.space WHERE namespace = $1`;

/**
 * Locks the schema against other transactions, and updates it.
 */
export async function lockSchema(client: PostgresClient): Promise<void> {
  await client.query('SELECT pg_advisory_xact_lock($1)', [SCHEMA_LOCK]);
  await migrate(client);
}

/**
 * Opens a namespace, and creates it if it is missing. Must be called in a transaction, so that only
 * one of several concurrent first openers creates the schema.
 *
 * @throws {@link MemoryStoreError}
 */
export async function openNamespace(
  client: PostgresClient,
  options: ResolvedOptions,
  keyCheck: string,
): Promise<PostgresNamespace> {
  const { namespace, index } = options;
  // Most handles open an existing namespace, and must not wait for others.
  const isCurrent = (await versionOf(client)) === SCHEMA_VERSION;
  let found = isCurrent ? await findLog(client, namespace) : undefined;
  if (found === undefined) {
    if (isCurrent && index !== 'hnsw' && options.maxNamespaces === Infinity)
      await lockName(client, namespace);
    else await lockSchema(client);
    found = await findNamespace(client, namespace);
  }
  if (found === undefined) return createRequestedNamespace(client, options, keyCheck);
  checkNamespace(found.space, options, keyCheck);
  if (index !== undefined && index !== found.index) {
    throw new MemoryStoreError({
      code: 'MEMORY_MISMATCH',
      subject: `namespace ${JSON.stringify(namespace)}, index`,
      expected: index,
      received: found.index,
      remedy: `leave it out, or run kp memory migrate LOCATION --to ${index}`,
    });
  }
  return found;
}

/** Namespaces of different names are created at the same time, but not while the schema changes. */
async function lockName(client: PostgresClient, namespace: string): Promise<void> {
  await client.query(
    'SELECT pg_advisory_xact_lock_shared($1), pg_advisory_xact_lock($2, hashtext($3))',
    [SCHEMA_LOCK, NAME_LOCK, namespace],
  );
  await migrate(client);
}

/** Returns the namespace of a name if it is a log; undefined otherwise. */
async function findLog(
  client: PostgresClient,
  namespace: string,
): Promise<PostgresNamespace | undefined> {
  const { rows } = await client.query(`${FIND_SPACE} AND index_kind = 'log'`, [namespace]);
  return rows.length === 0 ? undefined : namespaceOf(client, rows[0]);
}

/** Returns the namespace of a name; undefined if it does not exist. */
export async function findNamespace(
  client: PostgresClient,
  namespace: string,
): Promise<PostgresNamespace | undefined> {
  const { rows } = await client.query(FIND_SPACE, [namespace]);
  return rows.length === 0 ? undefined : namespaceOf(client, rows[0]);
}

async function namespaceOf(client: PostgresClient, found: unknown): Promise<PostgresNamespace> {
  const row = found as NamespaceRow;
  const space: StoredNamespace = {
    namespace: row.namespace,
    embedderId: row.embedder_id,
    dimensions: row.dimensions,
    maxElements: row.max_elements,
    ttlMs: row.ttl_ms ?? Infinity,
    keyCheck: row.key_check,
  };
  const index = row.index_kind;
  const vectors = index === 'hnsw' ? await prepareVectors(client) : undefined;
  return { id: row.id, space, index, vectors };
}

/** Adds a namespace and its tables; the caller creates the index of vectors. */
export async function createNamespace(
  client: PostgresClient,
  space: StoredNamespace,
  index: MemoryIndex,
): Promise<PostgresNamespace> {
  const { namespace, embedderId, dimensions, maxElements, ttlMs, keyCheck } = space;
  const { rows } = await client.query(
    `INSERT INTO kp_memory.space
       (namespace, embedder_id, dimensions, max_elements, ttl_ms, key_check, index_kind)
     VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id`,
    [
      namespace,
      embedderId,
      dimensions,
      maxElements,
      Number.isFinite(ttlMs) ? ttlMs : null,
      keyCheck,
      index,
    ],
  );
  const { id } = rows[0] as { id: number };
  if (index === 'log') {
    await client.query('SELECT kp_memory.make_log($1)', [id]);
    return { id, space, index, vectors: undefined };
  }
  if (dimensions > MAX_INDEXED_DIMENSIONS) {
    throw new MemoryStoreError({
      code: 'MEMORY_OPTION_INVALID',
      subject: 'index hnsw',
      expected: `an embedder of at most ${MAX_INDEXED_DIMENSIONS} dimensions`,
      received: `${dimensions}`,
      remedy: 'use a log, or another embedder',
    });
  }
  const vectors = await prepareVectors(client);
  await client.query('SELECT kp_memory.hnsw_make($1, $2)', [id, dimensions]);
  return { id, space, index, vectors };
}

async function createRequestedNamespace(
  client: PostgresClient,
  options: ResolvedOptions,
  keyCheck: string,
): Promise<PostgresNamespace> {
  const { index = 'log', maxNamespaces } = options;
  if (maxNamespaces !== Infinity) {
    const { rows } = await client.query('SELECT count(*)::integer AS amount FROM kp_memory.space');
    checkQuota((rows[0] as { amount: number }).amount, options);
  }
  if (index === 'log') return createNamespace(client, newNamespace(options, keyCheck), index);
  const { maxElements = DEFAULT_MAX_ON_SERVER } = options;
  const space = await createNamespace(
    client,
    newNamespace({ ...options, maxElements }, keyCheck),
    index,
  );
  await client.query('SELECT kp_memory.hnsw_index($1, $2)', [space.id, space.space.dimensions]);
  return space;
}

/** Returns the version of the schema; undefined if there is none. */
async function versionOf(client: PostgresClient): Promise<number | undefined> {
  // Reads a table, because to_regclass may answer from a cache that is older than the lock.
  const found = await client.query(
    "SELECT FROM pg_tables WHERE schemaname = 'kp_memory' AND tablename = 'version'",
  );
  if (found.rows.length === 0) return undefined;
  const { rows } = await client.query('SELECT version FROM kp_memory.version');
  return (rows[0] as { version: number }).version;
}

async function migrate(client: PostgresClient): Promise<void> {
  let version = await versionOf(client);
  if (version === SCHEMA_VERSION) return;
  if (version === undefined) {
    await client.query('CREATE SCHEMA IF NOT EXISTS kp_memory');
    await client.query('CREATE TABLE kp_memory.version (version integer NOT NULL)');
    await client.query('INSERT INTO kp_memory.version VALUES (0)');
    version = FIRST_VERSION - 1;
  } else if (version < FIRST_VERSION || version > SCHEMA_VERSION) {
    const isNewer = version > SCHEMA_VERSION;
    throw new MemoryStoreError({
      code: isNewer ? 'MEMORY_NEWER' : 'MEMORY_LOCATION',
      subject: 'postgres, schema kp_memory',
      expected: isNewer
        ? `version ${SCHEMA_VERSION} or before`
        : `version ${FIRST_VERSION} or later`,
      received: `version ${version}`,
      remedy: isNewer
        ? 'update @kp/memory'
        : 'export it with the version of kp that wrote it, and import it into a new database',
    });
  }
  for (const sql of MIGRATIONS.slice(version - FIRST_VERSION + 1)) await client.query(sql);
  await client.query('UPDATE kp_memory.version SET version = $1', [SCHEMA_VERSION]);
}
