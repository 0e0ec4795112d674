import { spyOn } from 'bun:test';

/**
 * How often the event loop turns during work that lets it when some milliseconds have gone by: each
 * look at `performance.now` finds that they have, however quick the machine is.
 */
export async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let time = performance.now();
  const clock = spyOn(performance, 'now').mockImplementation(() => {
    time += 100;
    return time;
  });
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  try {
    await work();
  } finally {
    isOver = true;
    clock.mockRestore();
  }
  return turns;
}
