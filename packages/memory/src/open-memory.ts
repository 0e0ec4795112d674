import { fileURLToPath } from 'node:url';
import type { DurableMemory } from './log/durable-memory.ts';
import { MemoryStoreError } from './log/errors.ts';
import type { MemoryStore } from './log/memory-store.ts';
import type { MemoryOptions } from './log/options.ts';

/**
 * Opens a memory that outlives the process, given its location. Loads the engine and its library on
 * demand.
 *
 * @param location - `seen.db` or `sqlite:seen.db` for a file; `postgres://…`; `redis://…`,
 * `rediss://…` (also for Valkey).
 * @throws {@link MemoryStoreError}
 */
export async function openMemory(
  location: string,
  options: MemoryOptions = {},
): Promise<DurableMemory> {
  const scheme = schemeOf(location);
  switch (scheme) {
    case undefined:
    case 'sqlite':
    case 'file': {
      const { openSqliteMemory } = await import('./sqlite/index.ts');
      return openSqliteMemory(filePath(location, scheme), options);
    }
    case 'postgres':
    case 'postgresql': {
      const { openPostgresMemory } = await import('./postgres/index.ts');
      return openPostgresMemory(location, options);
    }
    case 'redis':
    case 'rediss':
    case 'valkey': {
      const { openRedisMemory } = await import('./redis/index.ts');
      return openRedisMemory(location.replace(/^valkey/i, 'redis'), options);
    }
    default:
      throw unknownScheme(scheme);
  }
}

/**
 * Opens a store to list and delete its namespaces, regardless of their embedders.
 *
 * @param location - as for {@link openMemory}; a SQLite file must exist.
 * @throws {@link MemoryStoreError}
 */
export async function openMemoryStore(
  location: string,
  options: Pick<MemoryOptions, 'timeoutMs' | 'onWarning'> = {},
): Promise<MemoryStore> {
  const scheme = schemeOf(location);
  switch (scheme) {
    case undefined:
    case 'sqlite':
    case 'file': {
      const { openSqliteStore } = await import('./sqlite/index.ts');
      return openSqliteStore(filePath(location, scheme));
    }
    case 'postgres':
    case 'postgresql': {
      const { openPostgresStore } = await import('./postgres/index.ts');
      return openPostgresStore(location, options);
    }
    case 'redis':
    case 'rediss':
    case 'valkey': {
      const { openRedisStore } = await import('./redis/index.ts');
      return openRedisStore(location.replace(/^valkey/i, 'redis'), options);
    }
    default:
      throw unknownScheme(scheme);
  }
}

function unknownScheme(scheme: string): MemoryStoreError {
  return new MemoryStoreError({
    code: 'MEMORY_LOCATION',
    subject: 'memory',
    expected: 'a file, sqlite:FILE, postgres://… or redis://…',
    received: `${scheme}:`,
  });
}

function schemeOf(location: string): string | undefined {
  if (typeof location !== 'string' || location === '') {
    throw new MemoryStoreError({
      code: 'MEMORY_LOCATION',
      subject: 'memory',
      expected: 'a file, sqlite:FILE, postgres://… or redis://…',
      received: location === '' ? '""' : typeof location,
    });
  }
  // A single letter is a drive of Windows.
  return location.match(/^([a-z][a-z\d+.-]+):/i)?.[1]?.toLowerCase();
}

function filePath(location: string, scheme: string | undefined): string {
  const path =
    scheme === 'file'
      ? pathOfFileUrl(location, process.platform === 'win32')
      : location.slice(scheme ? scheme.length + 1 : 0);
  if (path !== '' && path !== ':memory:') return path;
  throw new MemoryStoreError({
    code: 'MEMORY_LOCATION',
    subject: 'memory',
    expected: 'the path of a file',
    received: JSON.stringify(location),
    remedy: 'omit it for a memory that ends with the process',
  });
}

/**
 * Converts a `file:` URL to a path: `file:///C:/runs/seen.db` is `C:\runs\seen.db` on Windows.
 *
 * @throws {@link MemoryStoreError} for a URL that is no local path, such as a file of another
 * machine.
 */
export function pathOfFileUrl(location: string, windows: boolean): string {
  try {
    return fileURLToPath(location, { windows });
  } catch (cause) {
    throw new MemoryStoreError({
      code: 'MEMORY_LOCATION',
      subject: 'memory',
      expected: 'the address of a file of this machine, such as file:///runs/seen.db',
      received: JSON.stringify(location),
      cause,
    });
  }
}
