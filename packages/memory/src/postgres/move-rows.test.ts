import { describe, expect, it } from 'bun:test';
import { failureOf } from '../../test/load.ts';
import {
  SPACE,
  type Statement,
  scriptPostgres,
  VECTOR_TYPE,
} from '../../test/scripted-postgres.ts';
import { toBytes } from '../log/vector-bytes.ts';
import { copyRows, type Move } from './move-rows.ts';
import { withClient } from './postgres-pool.ts';
import { vectorArray } from './vector-array.ts';

const [A, B, C] = [1, 2, 3].map((n) => `0000000${n}-89ab-cdef-0123-456789abcdef`);

/** What one copy answers and asks, of a server that answers so. */
async function copy(from: Move['from'], answer: (statement: Statement) => readonly unknown[]) {
  const { pool, statements } = scriptPostgres(answer);
  const move: Move = { source: 7, target: 8, from, space: SPACE, vectors: VECTOR_TYPE };
  const copied = await withClient(pool, performance.now() + 30_000, (client) =>
    copyRows(client, move),
  );
  const valuesOf = (part: string) =>
    statements.filter(({ text }) => text.includes(part)).map(({ values }) => values);
  return { copied, valuesOf };
}

describe('copyRows, out of a log', () => {
  const rows = [
    { at: 4, kind: 0, operation: A, added_at: 7, key: 'a', vector: toBytes(vectorAt(1)) },
    { at: 5, kind: 3, operation: B, added_at: 8, key: '[2]', vector: null },
    { at: 7, kind: 1, operation: C, added_at: 9, key: 'c', vector: toBytes(vectorAt(2)) },
  ];
  const serverOf =
    (found: readonly unknown[], isTaken = () => true) =>
    ({ text }: Statement): readonly unknown[] => {
      if (text.startsWith('SELECT copied')) return [{ copied: 3 }];
      if (text.includes('hnsw_take')) return [{ is_taken: isTaken() }];
      return found;
    };

  it('hands 500 rows over as they are, those without a vector too', async () => {
    const { copied, valuesOf } = await copy('log', serverOf(rows));
    expect(copied).toBe(3);
    expect(valuesOf('SELECT copied')).toEqual([[7, 8]]);
    expect(valuesOf('ORDER BY position LIMIT 500')).toEqual([[7, 3]]);
    // Each vector a copy: they are read into the same place.
    const vectors = vectorArray([vectorAt(1), undefined, vectorAt(2)], VECTOR_TYPE.id);
    expect(valuesOf('$8::public.vector[]')).toEqual([
      [7, 3, [4, 5, 7], [0, 3, 1], [A, B, C], [7, 8, 9], ['a', '[2]', 'c'], vectors],
    ]);
  });

  it('says when there are no more, and when the move is over', async () => {
    expect((await copy('log', serverOf([]))).copied).toBe(0);
    expect((await copy('log', () => [])).copied).toBe('done elsewhere');
  });

  it('looks again when another has copied them', async () => {
    let asked = 0;
    const { copied, valuesOf } = await copy(
      'log',
      serverOf(rows, () => ++asked === 2),
    );
    expect(copied).toBe(3);
    expect(valuesOf('SELECT copied')).toHaveLength(2);
  });

  it('refuses a vector of another length', async () => {
    const damaged = [{ ...rows[0], vector: toBytes(Float32Array.of(1)) }];
    const error = await failureOf(copy('log', serverOf(damaged)));
    expect(error.code).toBe('MEMORY_DAMAGED');
    expect(error.message).toStartWith('kp_memory.log, row 4: expected a vector of 8 bytes');
  });
});

describe('copyRows, out of an index', () => {
  const rowOf = (at: number, added_at: number, is_moved = false) => ({
    at,
    is_moved,
    operation: A,
    added_at,
    key: `${at}`,
    vector: `[${at},-0.5]`,
  });
  const serverOf =
    (found: readonly unknown[], last: number | null, amounts = [1]) =>
    ({ text }: Statement): readonly unknown[] => {
      if (text.startsWith('SELECT copied')) return [{ copied: 3 }];
      if (text.startsWith('SELECT max')) return [{ last }];
      if (text.includes('WITH moved')) return [{ amount: amounts.shift() }];
      return found;
    };

  it('hands them over in the order of their places, as old as a log tells by its clock', async () => {
    // Set back, one that was replaced and is as old as its place, set back to before the log's end.
    const rows = [rowOf(4, 100), rowOf(5, 90), rowOf(6, 300, true), rowOf(9, 120)];
    const { copied, valuesOf } = await copy('hnsw', serverOf(rows, 95, [4]));
    expect(copied).toBe(4);
    expect(valuesOf('ORDER BY place LIMIT 500')).toEqual([[3]]);
    expect(valuesOf('SELECT max')).toEqual([[8]]);
    const vectors = Buffer.concat(rows.map(({ at }) => toBytes(Float32Array.of(at, -0.5))));
    expect(valuesOf('WITH moved')).toEqual([
      [7, 3, 9, [4, 5, 6, 9], [A, A, A, A], [100, 100, 100, 120], ['4', '5', '6', '9'], vectors, 8],
    ]);
    const behind = await copy('hnsw', serverOf([rowOf(4, 90)], 95));
    const [values] = behind.valuesOf('WITH moved');
    expect(values?.[5]).toEqual([95]);
    // How many bytes a vector has.
    expect(values?.[8]).toBe(8);
  });

  it('begins with the first where the log is empty', async () => {
    const { valuesOf } = await copy('hnsw', serverOf([rowOf(4, 0, true), rowOf(5, 0.5)], null));
    expect(valuesOf('WITH moved')[0]?.[5]).toEqual([0, 0.5]);
  });

  it('says when there are no more, and looks again when another has copied them', async () => {
    expect((await copy('hnsw', serverOf([], 95))).copied).toBe(0);
    const again = await copy('hnsw', serverOf([rowOf(4, 90)], 95, [0, 1]));
    expect(again.copied).toBe(1);
    expect(again.valuesOf('SELECT copied')).toHaveLength(2);
  });
});

function vectorAt(number: number): Float32Array {
  return Float32Array.of(number, -number);
}
