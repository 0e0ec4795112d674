import { MemoryStoreError } from '../errors.ts';
import { checkSpace, newSpace, type ResolvedOptions, type StoredSpace } from '../options.ts';
import type { SqliteDatabase } from './sqlite-drivers.ts';
import { MIGRATIONS } from './sqlite-migrations.ts';
import { type Positions, positionsOf } from './sqlite-positions.ts';

/** "KPm1", in the header of the file: says whose database it is. */
const APPLICATION_ID = 0x4b506d31;

/**
 * Makes or migrates the tables. To be called in a transaction that holds the write lock, so that of
 * two who open first one makes them and the other finds them.
 *
 * @throws {@link MemoryStoreError} `MEMORY_NEWER` or `MEMORY_LOCATION` (another application's file).
 */
export async function migrate(database: SqliteDatabase, location: string): Promise<void> {
  const version = pragma(database, 'user_version');
  const owner = pragma(database, 'application_id');
  if (owner !== APPLICATION_ID) {
    const { tables } = database.prepare('SELECT count(*) AS tables FROM sqlite_schema').get() as {
      tables: number;
    };
    if (owner !== 0 || tables > 0) {
      throw new MemoryStoreError({
        code: 'MEMORY_LOCATION',
        subject: location,
        expected: 'a new file, or a memory',
        received: 'the SQLite database of another application',
        remedy: 'name another file',
      });
    }
  }
  if (version > MIGRATIONS.length) {
    throw new MemoryStoreError({
      code: 'MEMORY_NEWER',
      subject: location,
      expected: `a memory of version ${MIGRATIONS.length} or before`,
      received: `version ${version}`,
      remedy: 'update @kp/memory',
    });
  }
  if (version === MIGRATIONS.length) return;
  for (const change of MIGRATIONS.slice(version)) await change(database);
  database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
  database.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
}

interface SpaceRow {
  readonly id: number;
  readonly namespace: string;
  readonly embedder_id: string;
  readonly dimensions: number;
  readonly max_elements: number;
  readonly ttl_ms: number | null;
  readonly key_check: string;
}

/** A namespace of a file. */
export interface SqliteSpace {
  readonly id: number;
  readonly positions: Positions;
  readonly space: StoredSpace;
}

/** The namespace, made when it is not there; to be called in the same transaction. */
export function enterSpace(
  database: SqliteDatabase,
  options: ResolvedOptions,
  keyCheck: string,
): SqliteSpace {
  const find = database.prepare('SELECT * FROM kp_space WHERE namespace = ?');
  const found = find.get(options.namespace) as SpaceRow | null | undefined;
  if (found) {
    const space = storedSpace(found);
    checkSpace(space, options, keyCheck);
    return { id: found.id, positions: positionsOf(found.id), space };
  }
  const space = newSpace(options, keyCheck);
  const { lastInsertRowid } = database
    .prepare(
      `INSERT INTO kp_space (namespace, embedder_id, dimensions, max_elements, ttl_ms, key_check)
       VALUES (?, ?, ?, ?, ?, ?)`,
    )
    .run(
      space.namespace,
      space.embedderId,
      space.dimensions,
      space.maxElements,
      Number.isFinite(space.ttlMs) ? space.ttlMs : null,
      space.keyCheck,
    );
  const id = Number(lastInsertRowid);
  return { id, positions: positionsOf(id), space };
}

export function pragma(database: SqliteDatabase, name: string): number {
  const row = database.prepare(`PRAGMA ${name}`).get() as Record<string, number>;
  return Object.values(row)[0] ?? 0;
}

function storedSpace(row: SpaceRow): StoredSpace {
  return {
    namespace: row.namespace,
    embedderId: row.embedder_id,
    dimensions: row.dimensions,
    maxElements: row.max_elements,
    ttlMs: row.ttl_ms ?? Infinity,
    keyCheck: row.key_check,
  };
}
