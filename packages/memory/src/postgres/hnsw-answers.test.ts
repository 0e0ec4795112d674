import { describe, expect, it, spyOn } from 'bun:test';
import { failureOf } from '../../test/load.ts';
import { vectorOf } from '../../test/replay.ts';
import { SPACE, scriptPostgres, serverError, VECTOR_TYPE } from '../../test/scripted-postgres.ts';
import type { Question } from '../log/question.ts';
import { type MemoryWarning, resolveOptions } from '../options.ts';
import { HnswAnswers } from './hnsw-answers.ts';
import { SpaceGoneError } from './postgres-errors.ts';
import { vectorArray } from './vector-array.ts';

const SPACE_ID = 12;
const ID = '01234567-89ab-cdef-0123-456789abcdef';

type Rows = readonly unknown[];

/** A namespace on a server that gives these answers in turn, and none after them. */
function answersOf(...given: (Rows | Error)[]) {
  const warnings: MemoryWarning[] = [];
  const server = scriptPostgres(() => given.shift() ?? []);
  const options = resolveOptions({
    timeoutMs: 30_000,
    onWarning: (warning) => warnings.push(warning),
  });
  const answers = new HnswAnswers(server.pool, SPACE_ID, SPACE, VECTOR_TYPE, options);
  return { answers, warnings, ...server };
}

const vector = vectorOf(1, 2);
const near = (floor?: number): Question => ({ kind: 'nearest', vector, floor });
const rememberOf = (key: string, kind: 'add' | 'replace' = 'add', compare = true): Question => ({
  kind,
  key,
  operationId: ID,
  vector,
  compare,
});
const found = { key: 'a', similarity: 0.5, compared: 7 };
const none = { key: null, similarity: null, compared: 0 };

describe('HnswAnswers', () => {
  it('remembers and compares in one call, in order', async () => {
    const { answers, statements } = answersOf([found, none, found]);
    const asked = [
      rememberOf('x'),
      rememberOf('y', 'replace'),
      rememberOf('z', 'replace', false),
    ].map((question) => answers.ask(question, undefined));
    expect(answers.waiting).toBe(3);
    expect(await Promise.all(asked)).toEqual([
      { nearest: { key: 'a', similarity: 0.5 }, comparedWith: 7 },
      { nearest: undefined, comparedWith: 0 },
      {},
    ]);
    expect(answers.waiting).toBe(0);
    expect(statements).toEqual([
      {
        text: 'SELECT * FROM kp_memory.hnsw_append($1, $2, $3, $4, $5, $6::public.vector[])',
        name: undefined,
        values: [
          ...[SPACE_ID, [ID, ID, ID], [false, true, true], [true, true, false], ['x', 'y', 'z']],
          vectorArray([vector, vector, vector], VECTOR_TYPE.id),
        ],
      },
    ]);
  });

  it('finds, from the floor of each on', async () => {
    const similarities = [0.5, 0.5, 0.5, -1, null, 0.5];
    const rows = similarities.map((similarity) => ({ key: 'a', similarity }));
    const { answers, statements } = answersOf([...rows, { key: null, similarity: 0.5 }]);
    const floors = [undefined, 0.5, 0.51, undefined, undefined, -1, undefined, undefined];
    const asked = floors.map((floor) => answers.ask(near(floor), undefined));
    const keys = (await Promise.all(asked)).map(({ nearest }) => nearest?.key);
    // The last has no row at all.
    expect(keys).toEqual(['a', 'a', undefined, 'a', undefined, 'a', undefined, undefined]);
    expect(statements.map(({ text }) => text)).toEqual([
      'SELECT * FROM kp_memory.hnsw_nearest($1, $2::public.vector[])',
    ]);
    expect((await answersOf([rows[0]]).answers.ask(near(), undefined)).nearest).toEqual({
      key: 'a',
      similarity: 0.5,
    });
  });

  it('calls what has half a nearest one that has none', async () => {
    const halves = [
      { key: 'a', similarity: null, compared: 7 },
      { key: null, similarity: 0.5, compared: 7 },
    ];
    const { answers } = answersOf(halves);
    const asked = ['x', 'y', 'z'].map((key) => answers.ask(rememberOf(key), undefined));
    expect(await Promise.all(asked)).toEqual([
      { nearest: undefined, comparedWith: 7 },
      { nearest: undefined, comparedWith: 7 },
      { nearest: undefined, comparedWith: 0 },
    ]);
  });

  it('remembers what waits before it finds', async () => {
    const { answers, statements } = answersOf([found], [{ key: 'b', similarity: 1 }]);
    const asked = [near(), rememberOf('x')].map((each) => answers.ask(each, undefined));
    expect((await Promise.all(asked)).map(({ nearest }) => nearest?.key)).toEqual(['b', 'a']);
    expect(statements.map(({ text }) => text.match(/hnsw_\w+/)?.[0])).toEqual([
      'hnsw_append',
      'hnsw_nearest',
    ]);
  });

  it('answers 32 in a call', async () => {
    const { answers, statements } = answersOf();
    const asked = Array.from({ length: 70 }, (_, i) => answers.ask(rememberOf(`${i}`), undefined));
    await Promise.all(asked);
    const keys = statements.map(({ values }) => values[4] as string[]);
    expect(keys.map(({ length }) => length)).toEqual([32, 32, 6]);
    expect(keys.flat()).toEqual(Array.from({ length: 70 }, (_, i) => `${i}`));
  });

  it('counts, and forgets out of the index too', async () => {
    expect(await answersOf([{ size: 5 }]).answers.size()).toBe(5);
    expect(await answersOf().answers.size()).toBe(0);
    for (const [rows, erased, asked] of [
      [[{ erased: 2 }], 2, 2],
      [[{ erased: 1 }], 1, 2],
      [[{ erased: 0 }], 0, 1],
      [[], 0, 1],
    ] as const) {
      const { answers, statements } = answersOf(rows);
      expect(await answers.forget('a')).toBe(erased);
      expect(statements.map(({ text }) => text)).toEqual(
        ['SELECT kp_memory.hnsw_forget($1, $2) AS erased', 'VACUUM kp_memory.hnsw_12'].slice(
          0,
          asked,
        ),
      );
      expect(statements[0]?.values).toEqual([SPACE_ID, 'a']);
    }
  });

  it('lists 500 at a time, each after the last', async () => {
    const rowsFrom = (from: number, amount: number) =>
      Array.from({ length: amount }, (_, i) => ({
        at: from + i,
        key: `${from + i}`,
        added_at: 7,
        vector: '[0.5,-1]',
      }));
    const { answers, statements } = answersOf(rowsFrom(1, 500), rowsFrom(601, 499));
    const listed = await Array.fromAsync(answers.stored());
    expect(listed).toHaveLength(999);
    expect(listed[0]).toEqual({ key: '1', addedAt: 7, vector: Float32Array.of(0.5, -1) });
    expect(listed.at(-1)?.key).toBe('1099');
    expect(statements.map(({ values }) => values)).toEqual([
      [SPACE_ID, 0, 500],
      [SPACE_ID, 500, 500],
    ]);
  });

  it('tells of its table, its index and its server', async () => {
    const { answers } = answersOf([{ bytes: 9, index_bytes: 4, server: '17.2' }]);
    expect(await answers.facts()).toEqual({
      index: 'hnsw',
      bytes: 9,
      indexBytes: 4,
      server: '17.2',
      pgvector: '0.8.0',
    });
    expect(await answersOf().answers.facts()).toEqual({
      index: 'hnsw',
      bytes: 0,
      indexBytes: 0,
      server: '',
      pgvector: '0.8.0',
    });
  });

  it('asks again what passes, with a warning, and tells what does not', async () => {
    const passing = answersOf(serverError('40001', 'busy'), [found]);
    expect((await passing.answers.ask(rememberOf('x'), undefined)).comparedWith).toBe(7);
    expect(passing.warnings.map(({ message }) => message)).toEqual([
      'postgres: busy; trying again',
    ]);
    const gone = answersOf(serverError('KP003'));
    expect(await failureOf(gone.answers.size())).toBeInstanceOf(SpaceGoneError);
    const full = answersOf(serverError('53100'));
    expect((await failureOf(full.answers.ask(near(), undefined))).code).toBe('MEMORY_FULL');
    const refused = await failureOf(answersOf(serverError('42501')).answers.facts());
    expect(refused.code).toBe('MEMORY_UNAVAILABLE');
  });

  it('gives ten minutes to what nobody waits for', async () => {
    const clock = spyOn(performance, 'now').mockReturnValue(1000);
    const timer = spyOn(globalThis, 'setTimeout');
    try {
      const { answers } = answersOf([{ erased: 1 }]);
      await answers.forget('a');
      await answers.facts();
      // For the connection and for the answer, of VACUUM and of the facts.
      const waits = timer.mock.calls.map(([, ms]) => ms ?? 0).filter((ms) => ms > 30_000);
      expect(waits).toEqual(new Array(4).fill(600_000));
    } finally {
      timer.mockRestore();
      clock.mockRestore();
    }
  });

  it('answers what waits before it closes', async () => {
    const { answers } = answersOf([found]);
    const asked = answers.ask(rememberOf('x'), undefined);
    let isClosed = false;
    const closed = answers.close().then(() => {
      isClosed = true;
    });
    expect((await asked).comparedWith).toBe(7);
    expect(isClosed).toBe(false);
    await closed;
  });
});
