import { describe, expect, it } from 'bun:test';
import { type ThreadedWork, workOnThreads } from './worker-threads.ts';

/** Adds the opening to each number; throws at the number 13. */
const ADD = `(opening) => (number) => {
  if (number === 13) throw new Error('bad luck');
  return [Float64Array.of(opening + number).buffer];
}`;

function additionOf(numbers: readonly number[], program = ADD) {
  const left = [...numbers];
  const sums = new Map<number, number>();
  const work: ThreadedWork<number, readonly ArrayBuffer[]> = {
    program,
    opening: 100,
    next: () => left.shift(),
    giveBack: (number) => void left.push(number),
    finish: (number, [sum = new ArrayBuffer(8)]) =>
      void sums.set(number, new Float64Array(sum)[0] as number),
  };
  return { work, left, sums };
}

describe('workOnThreads', () => {
  it('does all tasks', async () => {
    const { work, left, sums } = additionOf([1, 2, 3, 4, 5, 6, 7]);
    expect(await workOnThreads(work, 2)).toEqual({ threads: 2, fallback: undefined });
    expect(left).toEqual([]);
    expect([...sums].sort(([a], [b]) => a - b)).toEqual(
      [1, 2, 3, 4, 5, 6, 7].map((n) => [n, n + 100]),
    );
  });

  it('leaves the tasks of threads that fail to the caller', async () => {
    const { work, left, sums } = additionOf([1, 13, 2]);
    const { threads, fallback } = await workOnThreads(work, 1);
    expect({ threads, fallback }).toEqual({
      threads: 1,
      fallback: expect.stringContaining('bad luck'),
    });
    expect(left).toContain(13);
    expect([...sums.keys(), ...left].sort((a, b) => a - b)).toEqual([1, 2, 13]);
  });

  it('leaves all tasks to the caller if the program is wrong', async () => {
    const { work, left } = additionOf([1, 2], 'not a program');
    expect(await workOnThreads(work, 2)).toMatchObject({
      threads: 1,
      fallback: expect.any(String),
    });
    expect(left.sort()).toEqual([1, 2]);
  });

  it('rejects with the reason of the signal while a thread hangs', async () => {
    const { work } = additionOf([1], '() => () => { for (;;); }');
    const stop = new AbortController();
    const next = work.next;
    work.next = () => {
      setTimeout(() => stop.abort(new Error('enough')));
      return next();
    };
    await expect(workOnThreads(work, 1, stop.signal)).rejects.toThrow('enough');
  });

  it('rejects with the error of finish', async () => {
    const { work } = additionOf([1, 2, 3]);
    work.finish = () => {
      throw new Error('no space');
    };
    await expect(workOnThreads(work, 2)).rejects.toThrow('no space');
  });
});
