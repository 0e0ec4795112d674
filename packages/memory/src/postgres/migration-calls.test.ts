import { describe, expect, it, type Mock, spyOn } from 'bun:test';
import { Pool } from 'pg';
import { failureOf } from '../../test/load.ts';
import { scriptMove } from '../../test/scripted-move.ts';
import { STORED_SPACE, scriptDatabase, serverError } from '../../test/scripted-postgres.ts';
import { migratePostgresMemory } from './migrate-postgres-memory.ts';

/** How the end of a move begins to be written. */
const FINISHED = 'UPDATE kp_memory.space SET namespace = $2';

const copies = (texts: readonly string[]): number =>
  texts.filter((text) => text.includes('hnsw_take')).length;

describe('migratePostgresMemory, towards an index', () => {
  it('copies until few are left, builds the index, and copies the rest while nobody writes', async () => {
    const run = scriptMove({ rows: [500, 100, 99, 5, 60, 50] });
    expect(await run.done).toBe(814);
    expect(run.steps).toEqual([
      ['copy', 500],
      ['copy', 600],
      ['copy', 699],
      ['index', 699],
      ['copy', 704],
    ]);
    const texts = run.texts();
    const at = (part: string): number => texts.findIndex((text) => text.includes(part));
    expect(copies(texts.slice(0, at('hnsw_index')))).toBe(3);
    expect(copies(texts.slice(at('SELECT head')))).toBe(2);
    expect(texts[at('SELECT head') - 1]).toBe('BEGIN');
    expect(run.valuesOf('DELETE FROM kp_memory.move')).toEqual([7]);
    expect(run.valuesOf('DELETE FROM kp_memory.space')).toEqual([7]);
    expect(run.valuesOf(FINISHED)).toEqual([8, 'own', '1234', 9]);
    expect(texts[at(FINISHED) + 1]).toBe('COMMIT');
  });

  it('copies ten times beside writers who add as fast as it copies', async () => {
    const run = scriptMove({ rows: [0, ...new Array(30).fill(100)] });
    expect(await run.done).toBe(3000);
    const texts = run.texts();
    const index = texts.findIndex((text) => text.includes('hnsw_index'));
    const finish = texts.findIndex((text) => text.startsWith('SELECT head'));
    expect(copies(texts.slice(index, finish))).toBe(10);
  });

  it('notes the move while nobody writes, so that others go on with it', async () => {
    const run = scriptMove({});
    expect(await run.done).toBe(0);
    const lock = 'SELECT FROM kp_memory.space WHERE id = $1 FOR UPDATE';
    expect(run.valuesOf(lock)).toEqual([7]);
    expect(run.valuesOf('INSERT INTO kp_memory.move')).toEqual([7, 8]);
    const added = run.valuesOf('INSERT INTO kp_memory.space');
    expect(added?.[0]).toStartWith('moving ');
    expect(added?.slice(1)).toEqual(['two', 2, 9, null, '', 'hnsw']);
  });

  it('goes on with a move that was begun', async () => {
    const run = scriptMove({ target: 5, rows: [3] });
    expect(await run.done).toBe(3);
    expect(run.texts().some((text) => text.includes('INSERT INTO'))).toBe(false);
    expect(run.valuesOf(FINISHED)?.[0]).toBe(5);
  });

  it('leaves the rest to whoever was quicker', async () => {
    const copied = scriptMove({
      rows: [500],
      answer: ({ text }) =>
        text.startsWith('SELECT copied') || text.startsWith('SELECT head') ? [] : undefined,
    });
    expect(await copied.done).toBe(0);
    expect(copied.steps).toEqual([['index', 0]]);
    expect(copied.texts()).not.toContain(FINISHED);
    expect(copied.texts().some((text) => text.startsWith('DELETE'))).toBe(false);
    let asked = 0;
    const last = scriptMove({
      answer: ({ text }) => (text.startsWith('SELECT copied') && ++asked > 2 ? [] : undefined),
    });
    expect(await last.done).toBe(0);
    expect(last.valuesOf(FINISHED)).toBeDefined();
  });

  it('copies again what another has copied in between', async () => {
    let asked = 0;
    const run = scriptMove({
      rows: [3, 3],
      answer: ({ text }) =>
        text.includes('hnsw_take') ? [{ is_taken: ++asked === 2 }] : undefined,
    });
    expect(await run.done).toBe(3);
    expect(asked).toBe(2);
  });

  it.each([
    ['the next rows', ['copy', 500]],
    ['the index', ['copy', 550]],
    ['the end', ['copy', 560]],
  ])('is given up before %s', async (_, step) => {
    const stop = new AbortController();
    const seen: unknown[] = [];
    const run = scriptMove(
      { rows: [500, 50, 10] },
      {
        signal: stop.signal,
        onProgress(...told) {
          seen.push(told);
          if (`${told}` === `${step}`) stop.abort(new Error('enough'));
        },
      },
    );
    await expect(run.done).rejects.toThrow('enough');
    expect(seen.at(-1)).toEqual(step);
    expect(run.texts().some((text) => text.startsWith('SELECT head'))).toBe(false);
  });

  it('takes the end back when it fails', async () => {
    const refusal = serverError('42501', 'no right');
    const run = scriptMove({
      answer: ({ text }) => (text.startsWith('DELETE FROM kp_memory.space') ? refusal : undefined),
    });
    expect(await failureOf(run.done)).toMatchObject({ code: 'MEMORY_UNAVAILABLE', cause: refusal });
    expect(run.texts().at(-1)).toBe('ROLLBACK');
  });

  it('gives the server a day for the index, and ten minutes for all else', async () => {
    const clock = spyOn(performance, 'now').mockReturnValue(1000);
    const timer = spyOn(globalThis, 'setTimeout');
    try {
      await scriptMove({}).done;
      const waits = timer.mock.calls.map(([, ms]) => ms ?? 0).filter((ms) => ms > 30_000);
      expect(waits.filter((ms) => ms === 86_400_000)).toHaveLength(2);
      expect(waits.filter((ms) => ms !== 86_400_000).every((ms) => ms === 600_000)).toBe(true);
    } finally {
      timer.mockRestore();
      clock.mockRestore();
    }
  });

  it('drops the tables of what is gone, and warns of those that others hold', async () => {
    const held = serverError('42501', 'held');
    const run = scriptMove({
      answer: ({ text }) => {
        if (text.includes('FROM pg_class')) return [{ name: 'log_7' }, { name: 'hnsw_3' }];
        return text.includes('DROP TABLE IF EXISTS kp_memory.log_7') ? held : undefined;
      },
    });
    expect(await run.done).toBe(0);
    expect(run.texts().at(-1)).toContain('DROP TABLE IF EXISTS kp_memory.hnsw_3');
    expect(run.warnings).toEqual([
      {
        code: 'MEMORY_NOT_PRUNED',
        message: 'postgres: table kp_memory.log_7 is of no use any more and could not be dropped',
        cause: held,
      },
    ]);
  });

  it('refuses less than the log may hold, and takes as much', async () => {
    const of = (maxElements: number) => scriptMove({}, { maxElements }).done;
    expect(await failureOf(of(8))).toMatchObject({
      code: 'MEMORY_OPTION_INVALID',
      message: 'maxElements: expected at least 9, so that nothing is lost, received 8',
    });
    expect(await of(9)).toBe(0);
    const more = scriptMove({}, { maxElements: 3_000_000 });
    await more.done;
    expect(more.valuesOf(FINISHED)?.[3]).toBe(3_000_000);
  });
});

describe('migratePostgresMemory, towards a log', () => {
  const stored = { ...STORED_SPACE, index_kind: 'hnsw', max_elements: 10_000_000 };

  it('makes one that a process can hold, and no index', async () => {
    const run = scriptMove({ stored, size: 5 }, { to: 'log' });
    expect(await run.done).toBe(0);
    expect(run.valuesOf(FINISHED)?.[3]).toBe(2_000_000);
    expect(run.steps).toEqual([['copy', 0]]);
    const small = scriptMove({ stored: { ...stored, max_elements: 9 }, size: 5 }, { to: 'log' });
    await small.done;
    expect(small.valuesOf(FINISHED)?.[3]).toBe(9);
  });

  it('refuses fewer than there are, and more than a process can hold', async () => {
    const of = (maxElements: number, size = 5) =>
      scriptMove({ stored, size }, { to: 'log', maxElements }).done;
    expect(await of(5)).toBe(0);
    expect(await of(2_000_000)).toBe(0);
    for (const [most, size] of [
      [4, 5],
      [2_000_001, 5],
    ] as const) {
      expect(await failureOf(of(most, size))).toMatchObject({
        code: 'MEMORY_OPTION_INVALID',
        message:
          'maxElements: expected at least 5, so that nothing is lost, and at most 2000000, which ' +
          `a process can hold, received ${most}`,
      });
    }
  });
});

describe('migratePostgresMemory, with nothing to move', () => {
  it('does nothing where it is already', async () => {
    const run = scriptMove({}, { to: 'log' });
    expect(await run.done).toBe(0);
    expect(run.texts().some((text) => /^(DELETE|INSERT)/.test(text))).toBe(false);
  });

  it('gives up a move that was begun', async () => {
    const run = scriptMove({ target: 5 }, { to: 'log' });
    expect(await run.done).toBe(0);
    expect(run.valuesOf('DELETE FROM kp_memory.move')).toEqual([7]);
    expect(run.valuesOf('DELETE FROM kp_memory.space')).toEqual([5]);
    expect(run.steps).toEqual([]);
  });

  it('refuses a namespace that is not there, and ends the connections it has made', async () => {
    const end = spyOn(Pool.prototype, 'end');
    const connect = spyOn(Pool.prototype, 'connect') as unknown as Mock<() => Promise<unknown>>;
    try {
      const { pool, isEnded } = scriptDatabase({});
      connect.mockImplementation(pool.connect);
      const options = { namespace: 'own', to: 'hnsw' } as const;
      for (const source of ['postgres://kp@127.0.0.1:1/postgres', pool]) {
        expect(await failureOf(migratePostgresMemory(source, options))).toMatchObject({
          code: 'MEMORY_LOCATION',
          message: 'namespace "own": expected one that is there, received none of this name',
        });
      }
      expect(end).toHaveBeenCalledTimes(1);
      expect(isEnded()).toBe(false);
    } finally {
      end.mockRestore();
      connect.mockRestore();
    }
  });
});
