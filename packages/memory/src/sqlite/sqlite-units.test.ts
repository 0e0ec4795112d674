import { describe, expect, it, spyOn } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { START } from '../log/log.ts';
import { resolveOptions } from '../options.ts';
import { refuseNetworkDrive } from './network-drive.ts';
import { loadSqlite, type SqliteDatabase, sqliteFailure } from './sqlite-drivers.ts';
import { SqliteLog } from './sqlite-log.ts';
import { enterSpace, migrate, pragma } from './sqlite-schema.ts';
import { bytesOf, logRowOf, uuidOf } from './sqlite-statements.ts';

describe('sqliteFailure', () => {
  it.each([
    // Result codes of SQLite: the low byte is the primary one, the rest says more.
    [{ code: 'SQLITE_BUSY' }, 'busy'],
    [{ code: 'SQLITE_BUSY_SNAPSHOT', errno: 517 }, 'busy'],
    [{ code: 'SQLITE_LOCKED' }, 'busy'],
    [{ errcode: 5 }, 'busy'],
    [{ errcode: 6 }, 'busy'],
    [{ errcode: 261 }, 'busy'],
    [{ errno: 517 }, 'busy'],
    [{ code: 'SQLITE_FULL' }, 'full'],
    [{ errcode: 13 }, 'full'],
    [{ errno: 778 }, 'full'],
    [{ errno: 4874 }, 'full'],
    [{ errno: 1546 }, 'full'],
    [{ errno: 10 }, 'other'],
    [{ errno: 266 }, 'other'],
    [{ code: 'SQLITE_CORRUPT' }, 'damaged'],
    [{ code: 'SQLITE_NOTADB' }, 'damaged'],
    [{ errcode: 11 }, 'damaged'],
    [{ errcode: 26 }, 'damaged'],
    [{ errcode: 267 }, 'damaged'],
    [{ code: 'SQLITE_CANTOPEN', errno: 14 }, 'other'],
    [{ code: 7 }, 'other'],
    [new Error('enough'), 'other'],
    [undefined, 'other'],
    ['SQLITE_BUSY', 'other'],
  ] as const)('of %j is %s', (error, kind) => {
    expect(sqliteFailure(error)).toBe(kind);
  });
});

describe('refuseNetworkDrive', () => {
  it.each([
    [0x6969, 'NFS'],
    [0xff534d42, 'CIFS'],
    // As a signed number of 32 bits, as statfs may give it.
    [0xff534d42 | 0, 'CIFS'],
    [0xfe534d42, 'SMB2'],
    [0x517b, 'SMB'],
    [0x01021997, '9P'],
    [0x5346414f, 'AFS'],
    [0x73757245, 'Coda'],
    [0x00c36400, 'Ceph'],
    [0x0bd00bd0, 'Lustre'],
    [0x47504653, 'GPFS'],
    [0x01161970, 'GFS2'],
    [0x7461636f, 'OCFS2'],
  ])('refuses the type %p, %s', async (type, name) => {
    await expect(refuseNetworkDrive('/mnt/x/seen.db', async () => type)).rejects.toThrow(
      `/mnt/x/seen.db: expected a local disk, where locks hold between processes, received ${name}; choose a local file, or postgres:// or redis:// to share it between machines`,
    );
  });

  it('takes a local disk, and what cannot be asked', async () => {
    const folders: string[] = [];
    await refuseNetworkDrive('/mnt/x/seen.db', async (folder) => {
      folders.push(folder);
      return 0xef53;
    });
    expect(folders).toEqual(['/mnt/x']);
    const refused = () => Promise.reject(new Error('no such folder'));
    expect(await refuseNetworkDrive('/mnt/x/seen.db', refused)).toBeUndefined();
    expect(await refuseNetworkDrive('seen.db')).toBeUndefined();
  });

  it.each([
    ['\\\\server\\share\\seen.db', true],
    ['//server/share/seen.db', true],
    ['\\\\?\\C:\\seen.db', false],
    ['\\\\.\\C:\\seen.db', false],
    ['/server/seen.db', false],
  ])('knows a share of Windows: %s is %p', async (path, isShare) => {
    const asked = refuseNetworkDrive(path, async () => 0);
    if (isShare) await expect(asked).rejects.toThrow('received a network share');
    else expect(await asked).toBeUndefined();
  });
});

describe('rows of a SQLite log', () => {
  it('have their operation as a UUID, or none', () => {
    const uuid = '01234567-89ab-cdef-0123-456789abcdef';
    expect(bytesOf(uuid)).toHaveLength(16);
    expect(Buffer.from(bytesOf(uuid)).toString('hex')).toBe('0123456789abcdef0123456789abcdef');
    expect(uuidOf('0123456789abcdef0123456789abcdef')).toBe(uuid);
    const row = { position: 3, kind: 0, added_at: 7, key: 'a', vector: new Uint8Array(8) };
    const read = { position: 3, kind: 'add', key: 'a', addedAt: 7, vector: row.vector } as const;
    expect(logRowOf(row, 2)).toEqual({ ...read, operationId: undefined });
    const named = { ...row, operation: uuid.replaceAll('-', '') };
    expect(logRowOf(named, 2)).toEqual({ ...read, operationId: uuid });
    expect(() => logRowOf(row, 3)).toThrow(
      'kp_log, row 3: expected a vector of 12 bytes, received 8',
    );
    expect(logRowOf({ ...row, vector: null }, 2).vector).toBeUndefined();
    const kinds = [0, 1, 2, 3, 4].map((kind) => logRowOf({ ...row, kind }, 2).kind);
    expect(kinds).toEqual(['add', 'replace', 'erased', 'forget', 'erased']);
  });
});

describe('migrate', () => {
  const opened = async (...statements: string[]) => {
    const database = (await loadSqlite('bun:sqlite'))(':memory:');
    for (const sql of statements) database.exec(sql);
    return database;
  };

  it('makes a memory of an empty file, once', async () => {
    const database = await opened();
    migrate(database, 'x.db');
    migrate(database, 'x.db');
    expect(pragma(database, 'user_version')).toBe(2);
    // "KPm1" in ASCII.
    expect(pragma(database, 'application_id')).toBe(Buffer.from('KPm1').readUInt32BE());
    database.close();
  });

  it.each([
    [['CREATE TABLE theirs (x)'], 'x.db: expected a new file, or a memory, received the SQLite'],
    [
      ['PRAGMA application_id = 1'],
      'received the SQLite database of another application; name another file',
    ],
    [
      ['PRAGMA application_id = 1263562033', 'PRAGMA user_version = 3'],
      'version 2 or before, received version 3',
    ],
  ])('refuses after %j', async (statements, message) => {
    const database = await opened(...statements);
    expect(() => migrate(database, 'x.db')).toThrow(message);
    database.close();
  });

  it('reads a pragma that answers nothing as 0', async () => {
    const database = await opened();
    const silent = { ...database, prepare: () => ({ get: () => ({}) }) as never };
    expect(pragma(silent, 'user_version')).toBe(0);
    database.close();
  });
});

/**
 * A log in a new database, at whose clock it is always 7.
 *
 * @param through - what the log takes for the database.
 */
function logOver(database: SqliteDatabase, through: SqliteDatabase = database): SqliteLog {
  migrate(database, 'x.db');
  const options = resolveOptions({ embedder: { id: 'test/2', dimensions: 2 } });
  const { id, space } = enterSpace(database, options, '');
  const explain = (error: unknown): Error => error as Error;
  return new SqliteLog(through, id, space, () => 7, explain);
}

describe('SqliteLog.prune', () => {
  it('deletes 200 rows at a time, and lets others work in between', async () => {
    const database = (await loadSqlite('bun:sqlite'))(':memory:');
    const prepare = spyOn(database, 'prepare');
    const log = logOver(database);
    const rows = Array.from({ length: 450 }, (_, at) => ({
      ...({ kind: 'add', key: `${at}`, operationId: crypto.randomUUID() } as const),
      vector: Float32Array.of(1, at),
    }));
    await log.append(rows, START, performance.now() + 60_000);
    // Who has all but the last row is not at the end.
    const last = await log.read({ position: 449, operationId: '' }, 9, performance.now() + 60_000);
    expect(last).toMatchObject({ outcome: 'rows', rows: [{ position: 450, key: '449' }] });
    let turns = 0;
    const count = (): void => {
      turns++;
      if (turns < 100) setImmediate(count);
    };
    setImmediate(count);
    await log.prune(441);
    // 200, 200 and 40.
    expect(turns).toBeGreaterThanOrEqual(3);
    expect(await log.rowsKept(performance.now() + 60_000)).toBe(10);
    const bytes = pragma(database, 'page_count') * pragma(database, 'page_size');
    const prepared = prepare.mock.calls.length;
    expect(await log.facts()).toEqual({ rows: 10, bytes, version: 2 });
    // Compiled before: a statement stays in memory until the file is closed.
    expect(prepare.mock.calls.length).toBe(prepared);
    const read = async (position: number) =>
      (await log.read({ position, operationId: '' }, 100, performance.now() + 60_000)).outcome;
    // What lies before 441 is gone, and with it the row that a mark of 440 names.
    expect([await read(440), await read(441)]).toEqual(['reload', 'rows']);
    await log.close();
  });
});

describe('SqliteLog.append', () => {
  it('adds one row after the other by one statement each, until another comes in between', async () => {
    const database = (await loadSqlite('bun:sqlite'))(':memory:');
    let begun = 0;
    const counting: SqliteDatabase = {
      ...database,
      prepare(sql) {
        const statement = database.prepare(sql);
        if (!sql.startsWith('BEGIN')) return statement;
        const run = (...values: Parameters<typeof statement.run>) => {
          begun++;
          return statement.run(...values);
        };
        return { ...statement, run };
      },
    };
    const log = logOver(database, counting);
    const begunBy = async (after: number, ...keys: string[]): Promise<number> => {
      begun = 0;
      const rows = keys.map((key) => {
        const vector = Float32Array.of(1, 0);
        return { kind: 'add', key, operationId: crypto.randomUUID(), vector } as const;
      });
      const mark = { position: after, operationId: '' };
      const answer = await log.append(rows, mark, performance.now() + 60_000);
      expect(answer).toMatchObject({ outcome: 'rows', now: 7 });
      expect(Reflect.get(answer, 'rows')).toMatchObject(
        keys.map((key, i) => ({ key, position: after + 1 + i, addedAt: 7 })),
      );
      return begun;
    };
    expect(await begunBy(0, 'a')).toBe(1);
    expect(await begunBy(1, 'b')).toBe(0);
    expect(await begunBy(2, 'c')).toBe(0);
    expect(await begunBy(3, 'd', 'e')).toBe(1);
    expect(await begunBy(5, 'f')).toBe(0);
    await log.close();
  });

  it('waits for the lock of another until its deadline, and then says who has it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kp-lock-'));
    const openDatabase = await loadSqlite('bun:sqlite');
    const [database, other] = [join(folder, 'x.db'), join(folder, 'x.db')].map(openDatabase) as [
      SqliteDatabase,
      SqliteDatabase,
    ];
    database.exec('PRAGMA busy_timeout = 0');
    const log = logOver(database);
    const row = { kind: 'add', key: 'a', operationId: crypto.randomUUID() } as const;
    const append = (deadline: number) =>
      log.append([{ ...row, vector: Float32Array.of(1, 0) }], START, deadline);
    other.exec('BEGIN IMMEDIATE');
    await expect(append(performance.now())).rejects.toThrow('another process holds the file');
    const waiting = append(performance.now() + 60_000);
    setTimeout(() => other.exec('ROLLBACK'), 20);
    expect(await waiting).toMatchObject({ outcome: 'rows', rows: [{ position: 1, key: 'a' }] });
    other.close();
    await log.close();
    await rm(folder, { recursive: true });
  });
});
