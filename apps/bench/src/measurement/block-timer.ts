import { consume } from './sink.ts';

/** Times a number of runs in a row. */
export interface BlockTimer {
  /** @returns nanoseconds of `runs` runs. */
  time(runs: number): Promise<number>;
}

/**
 * A timer for a function of its own: compiled anew for each, so that the engine does not mix what
 * it learns of one function with what it learns of another.
 */
export async function createBlockTimer(run: () => unknown): Promise<BlockTimer> {
  const first = run();
  const isAsync = first instanceof Promise;
  // Loads what the first run loads, and fails where it fails.
  consume(await first);
  const loop = isAsync ? awaitingLoop(run) : plainLoop(run);
  return {
    async time(runs) {
      const startedAt = performance.now();
      const result = loop(runs);
      // Awaiting a plain result would add a turn of the event loop to what is timed.
      consume(isAsync ? await result : result);
      return (performance.now() - startedAt) * 1e6;
    },
  };
}

type Loop = (runs: number) => unknown;

function plainLoop(run: () => unknown): Loop {
  const make = new Function(
    'run',
    'return (runs) => { let last; for (let i = 0; i < runs; i++) last = run(); return last; }',
  );
  return make(run) as Loop;
}

function awaitingLoop(run: () => unknown): Loop {
  const make = new Function(
    'run',
    'return async (runs) => { let last; for (let i = 0; i < runs; i++) last = await run(); return last; }',
  );
  return make(run) as Loop;
}
