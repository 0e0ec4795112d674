import { spyOn } from 'bun:test';

/** The waits of a piece of code, which pass at once. */
export interface Waits {
  /** Milliseconds of each, in the order in which they began. */
  readonly asked: readonly unknown[];
  /** Makes `setTimeout` wait again. */
  restore(): void;
}

/** Lets no time pass in `setTimeout`, and writes down what it was asked for. */
export function skipWaits(): Waits {
  const asked: unknown[] = [];
  const wait = spyOn(globalThis, 'setTimeout').mockImplementation(((
    run: () => void,
    ms: number,
  ) => {
    asked.push(ms);
    queueMicrotask(run);
    return 0;
  }) as never);
  return { asked, restore: () => wait.mockRestore() };
}
