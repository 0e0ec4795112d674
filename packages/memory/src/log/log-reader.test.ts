import { describe, expect, it, spyOn } from 'bun:test';
import { nextTask } from '@kp/foundation';
import { LocalEntries } from './local-entries.ts';
import type { LogAnswer, LogRow, MemoryLog, NewRow } from './log.ts';
import { LogReader } from './log-reader.ts';
import type { MemoryRequest } from './memory-backend.ts';
import { resolveOptions } from './options.ts';

const rows: readonly LogRow[] = Array.from({ length: 40 }, (_, i) => ({
  position: i + 1,
  kind: 'add',
  key: `kp:trace:${i + 1}`,
  operationId: `operation-${i + 1}`,
  addedAt: 1000 + i,
  vector: Float32Array.of(1, 0),
}));

const original = LocalEntries.prototype.searchAhead;

/** A log whose history can be replaced between two reads. */
function replaceableLog(): { log: MemoryLog; replace: () => void } {
  let isReplaced = false;
  const unused = () => Promise.reject(new Error('not part of this test'));
  const log: MemoryLog = {
    engine: 'a log',
    space: {
      namespace: 'default',
      embedderId: 'two',
      dimensions: 2,
      maxElements: 100,
      ttlMs: Number.POSITIVE_INFINITY,
    },
    // As many as the least that are read at once.
    readBytes: 1,
    async read({ position }, limit): Promise<LogAnswer> {
      if (isReplaced && position > 0) return { outcome: 'reload' };
      return { outcome: 'rows', rows: rows.slice(position, position + limit), now: 2000 };
    },
    append: unused,
    erase: unused,
    forgetKeys: unused,
    check: unused,
    findBytes: unused,
    prune: unused,
    facts: () => Promise.resolve({ head: rows.length, rows: rows.length }),
    close: () => Promise.resolve(),
  };
  return { log, replace: () => (isReplaced = true) };
}

describe('LogReader.stored', () => {
  it('lists all entries in pages', async () => {
    const reader = new LogReader(replaceableLog().log, resolveOptions());
    const keys = await Array.fromAsync(reader.stored(), ({ key }) => key);
    expect(keys).toEqual(rows.map(({ key }) => key));
  });

  it('fails if another history replaces the listed one', async () => {
    const { log, replace } = replaceableLog();
    const reader = new LogReader(log, resolveOptions());
    const keys: string[] = [];
    const list = async () => {
      for await (const { key } of reader.stored()) {
        keys.push(key);
        replace();
      }
    };
    await expect(list()).rejects.toMatchObject({
      code: 'MEMORY_UNAVAILABLE',
      message:
        'a log: expected the same history during the listing, received a different history; repeat the listing',
    });
    expect(keys).toHaveLength(16);
  });
});

/** A reader of a log in which nobody else appends but what `before` says of each call. */
function appending(
  before: (news: readonly NewRow[]) => readonly Omit<LogRow, 'position' | 'addedAt'>[] = () => [],
) {
  const appended: string[][] = [];
  let position = 0;
  const log: MemoryLog = {
    ...replaceableLog().log,
    async read() {
      return { outcome: 'rows', rows: [], now: 1 };
    },
    async append(news) {
      appended.push(news.map(({ key }) => key));
      const rows = [...before(news), ...news].map(
        (row): LogRow => ({ ...row, position: ++position, addedAt: 1 }),
      );
      return { outcome: 'rows', rows, now: 1 };
    },
  };
  const reader = new LogReader(log, resolveOptions());
  const ask = (kind: 'add' | 'replace', key: string, compare = true, operationId = key) =>
    reader.request({ kind, key, operationId, vector: Float32Array.of(1, 0), compare }, undefined);
  return { appended, reader, ask };
}

describe('LogReader with concurrent calls', () => {
  it('reads rows of others before searching', async () => {
    const reader = new LogReader(replaceableLog().log, resolveOptions());
    const vector = Float32Array.of(1, 0);
    expect(await reader.request({ kind: 'nearest', vector }, undefined)).toEqual({
      nearest: { key: 'kp:trace:1', similarity: 1 },
    });
  });

  it('appends 256 calls in one batch', async () => {
    const { appended, ask } = appending();
    await Promise.all(Array.from({ length: 600 }, (_, at) => ask('add', `${at}`, false)));
    expect(appended.map((keys) => keys.length)).toEqual([256, 256, 88]);
  });

  it('appends a repeated operation once and answers both calls', async () => {
    const { appended, reader, ask } = appending();
    await ask('add', 'a');
    const answers = await Promise.all([ask('add', 'b'), ask('add', 'b'), ask('add', 'b', false)]);
    const answer = { nearest: { key: 'a', similarity: 1 }, comparedWith: 1 };
    expect(answers).toEqual([answer, answer, answer]);
    expect(appended).toEqual([['a'], ['b']]);
    expect(await reader.size()).toBe(2);
  });
});

describe('LogReader with rows beyond the bound', () => {
  it('deletes rows before the oldest entry after 1,000 rows plus a quarter of the bound', async () => {
    const pruned: { before: number; after: number }[] = [];
    const codes: string[] = [];
    let position = 0;
    const log: MemoryLog = {
      ...replaceableLog().log,
      async read() {
        return { outcome: 'rows', rows: [], now: position };
      },
      async append(news) {
        const appended = news.map(({ kind, key, operationId, vector }): LogRow => {
          position++;
          return { position, kind, key, operationId, addedAt: position, vector };
        });
        return { outcome: 'rows', rows: appended, now: position };
      },
      async prune(before) {
        pruned.push({ before, after: position });
        if (pruned.length === 2) throw new Error('no right to delete');
      },
    };
    const onWarning = ({ code }: { code: string }): void => void codes.push(code);
    const reader = new LogReader(log, resolveOptions({ onWarning }));
    for (let row = 1; row <= 3 * 1025; row++) {
      const vector = Float32Array.of(1, row);
      const { comparedWith } = await reader.request(
        { kind: 'add', key: `${row}`, operationId: `${row}`, vector, compare: true },
        undefined,
      );
      expect(comparedWith).toBe(Math.min(row - 1, 100));
    }
    await reader.close();
    // 100 are kept: those from 926 on of 1,025.
    expect(pruned).toEqual([
      { before: 926, after: 1025 },
      { before: 1951, after: 2050 },
      { before: 2976, after: 3075 },
    ]);
    expect(codes).toEqual(['MEMORY_NOT_PRUNED']);
  });
});

describe('LogReader with a slow store', () => {
  /** A log whose appends take some turns, and bring a row of another with them. */
  const slowLog = (isSynchronous: boolean): MemoryLog => ({
    ...replaceableLog().log,
    isSynchronous,
    async read() {
      return { outcome: 'rows', rows: [], now: 1 };
    },
    async append(news, after) {
      for (let turn = 0; turn < 20; turn++) await nextTask();
      const other = { kind: 'add', key: `other ${after.position}`, operationId: 'other' } as const;
      const all = [{ ...other, vector: Float32Array.of(3, 4) }, ...news];
      const appended = all.map(
        (row, i): LogRow => ({ ...row, position: after.position + 1 + i, addedAt: 1 }),
      );
      return { outcome: 'rows', rows: appended, now: 1 };
    },
  });
  const request = (key: string, [x, y]: [number, number], compare = true): MemoryRequest => ({
    kind: 'add',
    key,
    operationId: `operation ${key}`,
    compare,
    vector: Float32Array.of(x, y),
  });

  it.each([
    [false, ['b', 'c']],
    [true, []],
  ])('compares meanwhile unless its log is synchronous (%p)', async (isSynchronous, early) => {
    const searched: string[] = [];
    let turns = 0;
    const first: number[] = [];
    const begin = spyOn(LocalEntries.prototype, 'resetSearchAhead');
    const searchAhead = spyOn(LocalEntries.prototype, 'searchAhead').mockImplementation(function (
      this: LocalEntries,
      row,
    ) {
      searched.push(row.key);
      first.push(turns);
      original.call(this, row);
    });
    const reader = new LogReader(slowLog(isSynchronous), resolveOptions());
    try {
      await reader.request(request('a', [0, 1], false), undefined);
      setImmediate(() => turns++);
      // Asked together: the others' row at (3, 4) comes before both, and b before c.
      const answers = await Promise.all(
        [request('b', [1, 0]), request('c', [4, 3])].map((each) => reader.request(each, undefined)),
      );
      expect(searched).toEqual(early);
      // What is sent to the store has left before.
      expect(first.filter((turn) => turn === 0)).toEqual([]);
      expect(begin).toHaveBeenCalledTimes(isSynchronous ? 0 : 1);
      expect(answers.map(({ nearest }) => nearest?.key)).toEqual(['other 0', 'other 0']);
      // By hand: (1, 0)(3, 4)/5 and (4, 3)(3, 4)/25.
      expect(answers[0]?.nearest?.similarity).toBeCloseTo(0.6, 6);
      expect(answers[1]?.nearest?.similarity).toBeCloseTo(0.96, 6);
      expect(answers.map(({ comparedWith }) => comparedWith)).toEqual([3, 4]);
    } finally {
      begin.mockRestore();
      searchAhead.mockRestore();
      await reader.close();
    }
  });
});

describe('LogReader with concurrent writers', () => {
  /** A shared log whose appends return no rows of others; `fail` replaces its history. */
  function sharedLog() {
    let stored: LogRow[] = [];
    const limits: number[] = [];
    let next: (() => void) | undefined;
    const push = (row: Pick<LogRow, 'kind' | 'key' | 'operationId' | 'vector'>): LogRow => {
      const pushed = { ...row, position: stored.length + 1, addedAt: 1 };
      stored.push(pushed);
      return pushed;
    };
    const other = (key: string, [x, y]: [number, number]): LogRow =>
      push({ kind: 'add', key, operationId: key, vector: Float32Array.of(x, y) });
    const log: MemoryLog = {
      ...replaceableLog().log,
      async read({ position, operationId }, limit) {
        limits.push(limit);
        next?.();
        next = undefined;
        if (position > 0 && stored[position - 1]?.operationId !== operationId) {
          return { outcome: 'reload' };
        }
        const rows = stored.slice(position, position + limit);
        return { outcome: 'rows', rows, now: 1, head: stored.length };
      },
      async append(news) {
        const rows = news.map(
          (row) => stored.find(({ operationId }) => operationId === row.operationId) ?? push(row),
        );
        return {
          outcome: 'rows',
          rows: rows.map((row) => ({ ...row, vector: undefined })),
          now: 1,
        };
      },
    };
    const reader = new LogReader(log, resolveOptions({ onWarning: () => undefined }));
    const ask = (key: string) =>
      reader.request(
        { kind: 'add', key, operationId: key, vector: Float32Array.of(4, 3), compare: true },
        undefined,
      );
    return {
      reader,
      ask,
      other,
      limits,
      atNextRead: (task: () => void) => {
        next = task;
      },
      truncate: () => {
        stored = stored.slice(0, 1);
      },
    };
  }

  it('reads rows of others that an append does not return, and compares with them first', async () => {
    const { reader, ask, other, limits } = sharedLog();
    await ask('a');
    for (let i = 0; i < 20; i++) other(`other ${i}`, [1, 0]);
    other('nearer', [3, 4]);
    limits.length = 0;
    const answer = ask('b');
    expect(await answer).toEqual({ nearest: { key: 'a', similarity: 1 }, comparedWith: 22 });
    // A page, then the rest, without the row that was appended.
    expect(limits).toEqual([16, 5]);
    other('later', [0, 1]);
    expect(await reader.size()).toBe(24);
  });

  it('appends again if a fail-over loses the rows before these are read', async () => {
    const { reader, ask, other, atNextRead, truncate } = sharedLog();
    await ask('a');
    other('known', [1, 0]);
    await reader.size();
    other('lost', [4, 3]);
    other('lost too', [4, 3]);
    atNextRead(() => {
      truncate();
      other('another history', [1, 0]);
    });
    expect(await ask('b')).toEqual({ nearest: { key: 'a', similarity: 1 }, comparedWith: 2 });
    expect(await reader.size()).toBe(3);
  });

  it('appends an entry that was forgotten while it was treated as a repeat', async () => {
    // The first row is forgotten by another just before b comes.
    const forgotten = {
      kind: 'forget',
      key: '[1]',
      operationId: undefined,
      vector: undefined,
    } as const;
    const { appended, reader, ask } = appending(([first]) =>
      first?.key === 'b' ? [forgotten] : [],
    );
    await ask('replace', 'a', true, '1');
    // What is there with this very vector is no new row.
    expect(await ask('replace', 'a', true, '2')).toEqual({ nearest: undefined, comparedWith: 0 });
    expect(appended).toEqual([['a']]);
    const [, again] = await Promise.all([
      ask('add', 'b', true, '3'),
      ask('replace', 'a', true, '4'),
    ]);
    expect(again).toEqual({ nearest: { key: 'b', similarity: 1 }, comparedWith: 1 });
    expect(appended).toEqual([['a'], ['b'], ['a']]);
    expect(await reader.size()).toBe(2);
    await reader.close();
  });

  it('reads a new history from its start and reports it', async () => {
    const { log } = replaceableLog();
    const warnings: unknown[] = [];
    const onWarning = (warning: unknown): void => void warnings.push(warning);
    let isReplaced = false;
    const read: MemoryLog['read'] = async (after, limit, deadline) => {
      if (!isReplaced || after.position === 0) return log.read(after, limit, deadline);
      isReplaced = false;
      return { outcome: 'reload' };
    };
    const reader = new LogReader({ ...log, read }, resolveOptions({ onWarning }));
    expect(await reader.size()).toBe(40);
    isReplaced = true;
    expect(await reader.size()).toBe(40);
    expect(warnings).toEqual([
      {
        code: 'MEMORY_RELOADED',
        message:
          'a log: the log does not continue what was read before, and was read again: no entry is lost',
      },
    ]);
  });

  it('yields to the event loop while reading many rows', async () => {
    let clock = 0;
    const now = spyOn(performance, 'now').mockImplementation(() => {
      clock += 3;
      return clock;
    });
    const turns = spyOn(globalThis, 'setImmediate');
    try {
      const reader = new LogReader(replaceableLog().log, resolveOptions());
      expect(await reader.size()).toBe(40);
      // One at least for each row but the first of a turn.
      expect(turns.mock.calls.length).toBeGreaterThan(40);
    } finally {
      now.mockRestore();
      turns.mockRestore();
    }
  });
});
