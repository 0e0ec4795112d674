import { MemoryStoreError, messageOf } from '../errors.ts';

/** What we use of a SQLite library; the three we know all have it. */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): SqliteStatement;
  close(): void;
}

export type SqliteValue = string | number | Uint8Array | null;

export interface SqliteStatement {
  run(...values: SqliteValue[]): {
    readonly changes: number | bigint;
    readonly lastInsertRowid: number | bigint;
  };
  get(...values: SqliteValue[]): unknown;
  all(...values: SqliteValue[]): unknown[];
}

/** A SQLite library that we know. */
export type SqliteDriverName = 'bun:sqlite' | 'node:sqlite' | 'better-sqlite3';

export type OpenDatabase = (path: string) => SqliteDatabase;

/**
 * A SQLite library: Bun's own, else Node's own (22.5 and later), else the optional peer
 * `better-sqlite3`.
 *
 * @throws {@link MemoryStoreError} `DEPENDENCY_MISSING` when there is none of them.
 */
export async function loadSqlite(name?: SqliteDriverName): Promise<OpenDatabase> {
  if (name !== undefined) return LOADERS[name]();
  if (process.versions.bun !== undefined) return LOADERS['bun:sqlite']();
  try {
    return await LOADERS['node:sqlite']();
  } catch {
    return LOADERS['better-sqlite3']();
  }
}

/** Inside a `try`, by which bundlers see that it need not be there. */
async function importBunSqlite(): Promise<typeof import('bun:sqlite')> {
  try {
    return await import('bun:sqlite');
  } catch (cause) {
    return Promise.reject(cause);
  }
}

const LOADERS: Readonly<Record<SqliteDriverName, () => Promise<OpenDatabase>>> = {
  async 'bun:sqlite'() {
    const { Database } = await importBunSqlite();
    return (path) => {
      const database = new Database(path, { create: true, readwrite: true });
      const prepared: { finalize(): void }[] = [];
      return {
        exec: (sql) => database.run(sql),
        prepare(sql) {
          const statement = database.prepare(sql);
          prepared.push(statement);
          return statement as unknown as SqliteStatement;
        },
        close() {
          // The file stays open, and its log beside it, as long as there is a statement.
          for (const statement of prepared.splice(0)) statement.finalize();
          database.close();
        },
      };
    };
  },

  async 'node:sqlite'() {
    const { DatabaseSync } = (await withoutWarning(() => import('node:sqlite'))) as {
      DatabaseSync: new (path: string) => SqliteDatabase;
    };
    return (path) => {
      const database = new DatabaseSync(path);
      return {
        exec: (sql) => database.exec(sql),
        prepare: (sql) => bindingByNumber(sql, database.prepare(sql)),
        close: () => database.close(),
      };
    };
  },

  async 'better-sqlite3'() {
    try {
      // Any peer of the kind; what we use of it is SqliteDatabase.
      const module = (await import('better-sqlite3' as string)) as {
        default: new (path: string) => SqliteDatabase;
      };
      return (path) => {
        const database = new module.default(path);
        return {
          exec: (sql) => database.exec(sql),
          prepare: (sql) => bindingByNumber(sql, database.prepare(sql)),
          close: () => database.close(),
        };
      };
    } catch (cause) {
      throw new MemoryStoreError({
        code: 'DEPENDENCY_MISSING',
        subject: 'SQLite',
        expected: 'Bun, Node 22.5 or later, or the package better-sqlite3',
        received: messageOf(cause),
        remedy: 'install it: npm install better-sqlite3',
        cause,
      });
    }
  },
};

/** `better-sqlite3`, and Node 22.15, take `?1` as a name and want an object of the values. */
function bindingByNumber(sql: string, statement: SqliteStatement): SqliteStatement {
  if (!/\?\d/.test(sql)) return statement;
  const named = (values: readonly SqliteValue[]) =>
    Object.fromEntries(values.map((value, i) => [i + 1, value])) as unknown as SqliteValue;
  return {
    run: (...values) => statement.run(named(values)),
    get: (...values) => statement.get(named(values)),
    all: (...values) => statement.all(named(values)),
  };
}

/** Node 22 and 24 call their SQLite experimental, once, on standard error. */
async function withoutWarning<T>(load: () => Promise<T>): Promise<T> {
  const { emitWarning } = process;
  process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    if (!String(warning).includes('SQLite')) {
      Reflect.apply(emitWarning, process, [warning, ...rest]);
    }
  };
  try {
    return await load();
  } finally {
    process.emitWarning = emitWarning;
  }
}

const BUSY = 5;
const LOCKED = 6;
const FULL = 13;
/** SQLITE_IOERR_WRITE and its kin of growing a file: a quota, or the greatest size of a file. */
const WRITE_ERRORS: readonly number[] = [778, 4874, 1546];
const CORRUPT = 11;
const NOT_A_DATABASE = 26;
/** SQLITE_ERROR, _TOOBIG, _CONSTRAINT and _MISMATCH: statements of ours meet them in foreign tables alone. */
const NOT_OUR_TABLES: readonly number[] = [1, 18, 19, 20];

/** What kind of failure it was, whichever library tells of it. */
export function sqliteFailure(error: unknown): 'busy' | 'full' | 'damaged' | 'other' {
  const code = String(Reflect.get(Object(error), 'code') ?? '');
  const number = Number(
    Reflect.get(Object(error), 'errcode') ?? Reflect.get(Object(error), 'errno') ?? 0,
  );
  const primary = number & 0xff;
  const is = (name: string, wanted: number): boolean => code.startsWith(name) || primary === wanted;
  if (is('SQLITE_BUSY', BUSY) || is('SQLITE_LOCKED', LOCKED)) return 'busy';
  if (is('SQLITE_FULL', FULL) || WRITE_ERRORS.includes(number)) return 'full';
  if (is('SQLITE_CORRUPT', CORRUPT) || is('SQLITE_NOTADB', NOT_A_DATABASE)) return 'damaged';
  // Node's, of an integer in the file that no number holds.
  if (NOT_OUR_TABLES.includes(primary) || code === 'ERR_OUT_OF_RANGE') return 'damaged';
  return 'other';
}
