import { assertType, codeOf, type OptionNames } from '@kp/foundation';
import type { DurableMemory } from '../log/durable-memory.ts';
import { droppedError, MemoryStoreError } from '../log/errors.ts';
import { createKeyHash } from '../log/key-hash.ts';
import { openBackendMemory } from '../log/log-memory.ts';
import { LogReader } from '../log/log-reader.ts';
import type { MemoryBackend } from '../log/memory-backend.ts';
import {
  type MemoryIndex,
  type MemoryOptions,
  type ResolvedOptions,
  resolveOptions,
} from '../log/options.ts';
import { retryTransient } from '../log/retry-transient.ts';
import { MigratingBackend } from './follow-migration.ts';
import { HnswBackend } from './hnsw-backend.ts';
import type { PostgresPool } from './postgres-client.ts';
import { explainPostgres } from './postgres-errors.ts';
import { PostgresLog } from './postgres-log.ts';
import { openNamespace } from './postgres-namespaces.ts';
import { createPool } from './postgres-pool.ts';
import { transaction } from './postgres-query.ts';

/**
 * Opens a memory in a Postgres database (15 or later), in the schema `kp_memory`, which is created
 * if it is missing. With `index: 'hnsw'` the server searches it, and needs the extension pgvector
 * 0.8.
 *
 * @param source - a URL, for which the memory opens connections, and in which `?index=hnsw` has the
 * effect of the option; or a `Pool` of `pg`, which the caller must end.
 * @throws `MemoryStoreError`
 */
export async function openPostgresMemory(
  source: string | PostgresPool,
  options: MemoryOptions = {},
): Promise<DurableMemory> {
  const { pool, isOurs, resolved } = await connectPostgres(source, options);
  const keyCheck = createKeyHash(resolved.hashKeys).check;
  const release = async (): Promise<void> => {
    if (isOurs) await pool.end();
  };
  try {
    const first = await openBackend(pool, resolved, keyCheck);
    const { namespace, embedderId } = first.space;
    // A migration changes the index and the size. Without an embedder none is created.
    const moved = { ...resolved, index: undefined, maxElements: undefined, embedder: undefined };
    const reopen = async (): Promise<MemoryBackend> => {
      const next = await openBackend(pool, moved, keyCheck).catch((error: unknown) => {
        throw codeOf(error) === 'MEMORY_LOCATION' ? droppedError(namespace) : error;
      });
      // The namespace was dropped and created again for another embedder.
      if (next.space.embedderId !== embedderId) throw droppedError(namespace);
      return next;
    };
    return await openBackendMemory(new MigratingBackend(first, reopen, release), resolved);
  } catch (error) {
    // The pool has ended already if the memory was opened and did not answer.
    await release().catch(() => undefined);
    throw error;
  }
}

interface Connected {
  readonly pool: PostgresPool;
  /** Whether the memory ends the pool. */
  readonly isOurs: boolean;
  readonly resolved: ResolvedOptions;
}

const INDEXES: readonly MemoryIndex[] = ['log', 'hnsw'];

/**
 * Returns the pool of a source, and the options together with those of a URL.
 *
 * @param more - names of further options, which the caller reads.
 */
export async function connectPostgres(
  source: string | PostgresPool,
  options: MemoryOptions,
  more?: OptionNames,
): Promise<Connected> {
  if (typeof source !== 'string') {
    return { pool: source, isOurs: false, resolved: resolveOptions(options, INDEXES, more) };
  }
  assertType('options', 'an object', options);
  const { url, index } = splitUrl(source, options);
  const resolved = resolveOptions({ ...options, index }, INDEXES, more);
  const pool = await createPool(url, resolved.timeoutMs, (message) => {
    resolved.onWarning({ code: 'MEMORY_NOT_ENCRYPTED', message });
  });
  // Errors of idle connections; a call on a broken connection rejects anyway.
  pool.on('error', (cause) => {
    const message = `postgres: a connection was lost: ${cause.message}`;
    resolved.onWarning({ code: 'MEMORY_RETRIED', message, cause });
  });
  return { pool, isOurs: true, resolved };
}

/** Opens the backend of the index that the namespace has now. */
function openBackend(
  pool: PostgresPool,
  options: ResolvedOptions,
  keyCheck: string,
): Promise<MemoryBackend> {
  return retryTransient('postgres', options, async (deadline) => {
    const opened = await transaction(pool, deadline, (client) =>
      openNamespace(client, options, keyCheck),
    ).catch((error) => {
      throw explainPostgres(error);
    });
    const { id, space, vectors } = opened;
    return vectors === undefined
      ? new LogReader(new PostgresLog(pool, id, space), options)
      : new HnswBackend(pool, id, space, vectors, options);
  });
}

/** Removes our parameter from a URL; the others belong to `pg`. */
function splitUrl(
  url: string,
  { index }: MemoryOptions,
): { readonly url: string; readonly index: MemoryOptions['index'] } {
  const [address = '', query = ''] = url.split('?', 2);
  const parameters = new URLSearchParams(query);
  const named = parameters.get('index');
  if (named === null) return { url, index };
  if (index !== undefined && index !== named) {
    throw new MemoryStoreError({
      code: 'MEMORY_OPTION_INVALID',
      subject: 'index',
      expected: `${index}, as in the options`,
      received: `${named} in the URL`,
    });
  }
  parameters.delete('index');
  const rest = parameters.size === 0 ? '' : `?${parameters}`;
  // The check of the options reports a value that is not an index.
  return { url: `${address}${rest}`, index: named as MemoryOptions['index'] };
}
