/** Runs one task after the other, in the order in which they were given. */
export type CallOrder = <T>(task: () => T | Promise<T>) => Promise<T>;

/**
 * A queue for what must happen in call order. A task that fails rejects its own promise and does
 * not hold up the next.
 */
export function createCallOrder(): CallOrder {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = last.then(task);
    last = result.catch(() => undefined);
    return result;
  };
}
