import { describe, expect, it, spyOn } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { skipWaits } from '@kp/testing/waits';
import { START } from '../log/log.ts';
import { resolveOptions } from '../options.ts';
import { loadSqlite, type SqliteDatabase } from './sqlite-drivers.ts';
import { SqliteLog } from './sqlite-log.ts';
import { positionsOf } from './sqlite-positions.ts';
import { enterSpace, migrate } from './sqlite-schema.ts';

/** Where the first namespace of a file begins. */
const { start: BEGIN, end: END } = positionsOf(1);

/**
 * A log in a new database, at whose clock it is always 7.
 *
 * @param through - what the log takes for the database.
 */
async function logOver(
  database: SqliteDatabase,
  through: SqliteDatabase = database,
): Promise<SqliteLog> {
  await migrate(database, 'x.db');
  const options = resolveOptions({ embedder: { id: 'test/2', dimensions: 2 } });
  const space = enterSpace(database, options, '');
  const explain = (error: unknown): Error => error as Error;
  return new SqliteLog(through, space, () => 7, explain);
}

/** A log in a file of `folder`, which waits for no lock by itself, and another that has the file open. */
async function logBesideAnother() {
  const folder = await mkdtemp(join(tmpdir(), 'kp-lock-'));
  const openDatabase = await loadSqlite('bun:sqlite');
  const database = openDatabase(join(folder, 'x.db'));
  const other = openDatabase(join(folder, 'x.db'));
  database.exec('PRAGMA busy_timeout = 0');
  return { folder, log: await logOver(database), other };
}

describe('SqliteLog.prune', () => {
  it('deletes 200 rows at a time, and lets others work in between', async () => {
    const database = (await loadSqlite('bun:sqlite'))(':memory:');
    const prepare = spyOn(database, 'prepare');
    const log = await logOver(database);
    const rows = Array.from({ length: 450 }, (_, at) => ({
      ...({ kind: 'add', key: `${at}`, operationId: crypto.randomUUID() } as const),
      vector: Float32Array.of(1, at),
    }));
    await log.append(rows, START, performance.now() + 60_000);
    // Who has all but the last row is not at the end.
    const mark = { position: BEGIN + 449, operationId: '' };
    const last = await log.read(mark, 9, performance.now() + 60_000);
    expect(last).toMatchObject({ outcome: 'rows', rows: [{ position: BEGIN + 450, key: '449' }] });
    let turns = 0;
    const count = (): void => {
      turns++;
      if (turns < 100) setImmediate(count);
    };
    setImmediate(count);
    await log.prune(BEGIN + 441);
    // 200, 200 and 40.
    expect(turns).toBeGreaterThanOrEqual(3);
    expect(await log.rowsKept(performance.now() + 60_000)).toBe(10);
    const sizes = database.prepare('SELECT * FROM pragma_page_count, pragma_page_size').get();
    const { page_count, page_size } = sizes as { page_count: number; page_size: number };
    const bytes = page_count * page_size;
    const prepared = prepare.mock.calls.length;
    expect(await log.facts()).toEqual({ rows: 10, bytes, version: 3 });
    // Compiled before: a statement stays in memory until the file is closed.
    expect(prepare.mock.calls.length).toBe(prepared);
    const read = async (place: number) => {
      const mark = { position: BEGIN + place, operationId: '' };
      return (await log.read(mark, 100, performance.now() + 60_000)).outcome;
    };
    // What lies before 441 is gone, and with it the row that a mark of 440 names.
    expect([await read(440), await read(441)]).toEqual(['reload', 'rows']);
    // What is to go next may be there still.
    database.exec(`UPDATE kp_space SET pruned = ${BEGIN + 445}`);
    expect([await read(445), await read(446)]).toEqual(['reload', 'rows']);
    // No such row, and another in its place, are of another history.
    expect(await read(451)).toBe('reload');
    const another = { position: BEGIN + 449, operationId: crypto.randomUUID() };
    expect(await log.read(another, 100, Infinity)).toEqual({ outcome: 'reload' });
    const same = { position: BEGIN + 449, operationId: rows[448]?.operationId ?? '' };
    expect(await log.read(same, 100, Infinity)).toMatchObject({ outcome: 'rows' });
    await log.close();
  });
});

describe('SqliteLog.prune, while another has the lock', () => {
  it('gives up after 5 s', async () => {
    const { folder, log, other } = await logBesideAnother();
    other.exec('BEGIN IMMEDIATE');
    const times = [1000, 1001, 5999, 6000, 6001];
    const clock = spyOn(performance, 'now').mockImplementation(() => times.shift() ?? Infinity);
    try {
      await expect(log.prune(BEGIN + 1)).rejects.toThrow('another process holds the file');
    } finally {
      clock.mockRestore();
    }
    // The first is when it began.
    expect(times).toEqual([6001]);
    other.close();
    await log.close();
    await rm(folder, { recursive: true });
  });
});

describe('SqliteLog.read', () => {
  it('names the last row alone, and looks for no more rows at the end', async () => {
    const database = (await loadSqlite('bun:sqlite'))(':memory:');
    let lists = 0;
    const counting: SqliteDatabase = {
      ...database,
      prepare(sql) {
        const statement = database.prepare(sql);
        return {
          run: (...values) => statement.run(...values),
          get: (...values) => statement.get(...values),
          all(...values) {
            lists++;
            return statement.all(...values);
          },
        };
      },
    };
    const log = await logOver(database, counting);
    const deadline = performance.now() + 60_000;
    const operations = [1, 2, 3].map(() => crypto.randomUUID());
    const rows = operations.map((operationId) => ({
      ...({ kind: 'add', key: operationId, operationId } as const),
      vector: Float32Array.of(1, 0),
    }));
    await log.append(rows, START, deadline);
    const read = async (position: number) => {
      const answer = await log.read({ position, operationId: '' }, 9, deadline);
      return answer.outcome === 'rows' ? answer.rows.map(({ operationId }) => operationId) : answer;
    };
    expect(await read(0)).toEqual([undefined, undefined, operations[2]]);
    lists = 0;
    expect([await read(BEGIN + 3), await read(BEGIN + 3), lists]).toEqual([[], [], 0]);
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
    const log = await logOver(database, counting);
    const begunBy = async (after: number, ...keys: string[]): Promise<number> => {
      begun = 0;
      const rows = keys.map((key) => {
        const vector = Float32Array.of(1, 0);
        return { kind: 'add', key, operationId: crypto.randomUUID(), vector } as const;
      });
      const mark = after === 0 ? START : { position: BEGIN + after, operationId: '' };
      const answer = await log.append(rows, mark, performance.now() + 60_000);
      expect(answer).toMatchObject({ outcome: 'rows', now: 7 });
      expect(Reflect.get(answer, 'rows')).toMatchObject(
        keys.map((key, i) => ({ key, position: BEGIN + after + 1 + i, addedAt: 7 })),
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

  it('gives rows in the order of their places, those too that were there', async () => {
    const log = await logOver((await loadSqlite('bun:sqlite'))(':memory:'));
    const rowOf = (key: string) => ({
      ...({ kind: 'add', key, operationId: crypto.randomUUID() } as const),
      vector: Float32Array.of(1, 0),
    });
    const [first, second, third] = ['a', 'b', 'c'].map(rowOf) as [
      ReturnType<typeof rowOf>,
      ReturnType<typeof rowOf>,
      ReturnType<typeof rowOf>,
    ];
    await log.append([first, second], START, Infinity);
    const mark = { position: BEGIN + 1, operationId: '' };
    expect(await log.append([third, first], mark, Infinity)).toMatchObject({
      rows: [first, second, third].map(({ key }, at) => ({ key, position: BEGIN + 1 + at })),
    });
    await log.close();
  });

  it('deletes 200 at a time, until none is left', async () => {
    for (const [rows, runs] of [
      [200, 2],
      [400, 3],
      [401, 4],
    ] as const) {
      const database = (await loadSqlite('bun:sqlite'))(':memory:');
      let pruned = 0;
      const log = await logOver(database, {
        ...database,
        prepare(sql) {
          const statement = database.prepare(sql);
          if (!sql.includes('DELETE FROM kp_row')) return statement;
          const run = (...values: Parameters<typeof statement.run>) => {
            pruned++;
            return statement.run(...values);
          };
          return { ...statement, run };
        },
      });
      const news = Array.from({ length: rows }, (_, at) => ({
        ...({ kind: 'add', key: `${at}`, operationId: crypto.randomUUID() } as const),
        vector: Float32Array.of(1, at),
      }));
      await log.append(news, START, Infinity);
      await log.prune(BEGIN + rows + 1);
      expect(await log.rowsKept(Infinity)).toBe(0);
      expect(pruned).toBe(runs);
      await log.close();
    }
  });

  it('takes no place that lies before rows of others, also when those after it were pruned', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kp-pruned-'));
    const openDatabase = await loadSqlite('bun:sqlite');
    const log = await logOver(openDatabase(join(folder, 'x.db')));
    const other = await logOver(openDatabase(join(folder, 'x.db')));
    const deadline = performance.now() + 60_000;
    const row = () => {
      const operationId = crypto.randomUUID();
      return { kind: 'add', key: operationId, operationId, vector: Float32Array.of(1, 0) } as const;
    };
    const mark = { position: BEGIN + 1, operationId: '' };
    expect(await log.append([row()], START, deadline)).toMatchObject({ outcome: 'rows' });
    await other.append([row(), row(), row()], mark, deadline);
    await other.prune(BEGIN + 4);
    expect(await log.append([row()], mark, deadline)).toEqual({ outcome: 'reload' });
    expect(await log.rowsKept(deadline)).toBe(1);
    await Promise.all([log.close(), other.close()]);
    await rm(folder, { recursive: true });
  });

  it('refuses what is past the last position of its namespace', async () => {
    const database = (await loadSqlite('bun:sqlite'))(':memory:');
    const log = await logOver(database);
    database.exec(`INSERT INTO kp_row VALUES (${END - 2}, 2, x'00', 7, '', NULL)`);
    const append = (position: number) => {
      const row = { kind: 'add', key: `${position}`, operationId: crypto.randomUUID() } as const;
      const rows = [{ ...row, vector: Float32Array.of(1, 0) }];
      return log.append(rows, { position, operationId: '' }, performance.now() + 60_000);
    };
    expect(await append(END - 2)).toMatchObject({ outcome: 'rows', rows: [{ position: END - 1 }] });
    await expect(append(END - 1)).rejects.toThrow(
      'namespace "default": expected at most 137 billion rows in all its time, received one more; ' +
        'export it, and import it into a new namespace',
    );
    expect(await log.facts()).toMatchObject({ rows: 2 });
    await log.close();
  });

  it('asks for a lock thrice at once, and then after up to 20 ms', async () => {
    const database = (await loadSqlite('bun:sqlite'))(':memory:');
    let locked = 25;
    const busy: SqliteDatabase = {
      ...database,
      prepare(sql) {
        const statement = database.prepare(sql);
        if (!sql.startsWith('BEGIN')) return statement;
        const run = (): ReturnType<typeof statement.run> => {
          if (locked-- > 0) throw Object.assign(new Error('locked'), { code: 'SQLITE_BUSY' });
          return statement.run();
        };
        return { ...statement, run };
      },
    };
    const log = await logOver(database, busy);
    const random = spyOn(Math, 'random').mockReturnValue(0.5);
    const waits = skipWaits();
    try {
      expect(await log.forget('nobody', Infinity)).toBe(0);
    } finally {
      waits.restore();
      random.mockRestore();
    }
    const longer = Array.from({ length: 22 }, (_, at) => Math.min(at + 3, 20) / 2);
    expect(waits.asked).toEqual([0, 0, 0, ...longer]);
    await log.close();
  });

  it('waits for the lock of another until its deadline, and then says who has it', async () => {
    const { folder, log, other } = await logBesideAnother();
    const row = { kind: 'add', key: 'a', operationId: crypto.randomUUID() } as const;
    const append = (deadline: number) =>
      log.append([{ ...row, vector: Float32Array.of(1, 0) }], START, deadline);
    other.exec('BEGIN IMMEDIATE');
    await expect(append(performance.now())).rejects.toThrow('another process holds the file');
    const waiting = append(performance.now() + 60_000);
    setTimeout(() => other.exec('ROLLBACK'), 20);
    expect(await waiting).toMatchObject({
      outcome: 'rows',
      rows: [{ position: BEGIN + 1, key: 'a' }],
    });
    other.close();
    await log.close();
    await rm(folder, { recursive: true });
  });
});
