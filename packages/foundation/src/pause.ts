// Long enough to cost little, short enough that input and timers seem immediate.
const SLICE_MS = 10;

/**
 * Creates a function to await between the steps of a long computation. Every 10 ms it lets timers
 * and input have their turn; otherwise it resolves at once.
 *
 * @param signal - once aborted, the function rejects with its reason, at the latest after 10 ms.
 */
export function createPause(signal?: AbortSignal): () => Promise<void> {
  let sliceEnd = performance.now() + SLICE_MS;
  return async () => {
    if (performance.now() < sliceEnd) return;
    await nextTask();
    signal?.throwIfAborted();
    sliceEnd = performance.now() + SLICE_MS;
  };
}

/** Lets timers, I/O and other tasks of the process run. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    // Node and Bun have setImmediate, which is a millisecond faster than a timer.
    const { setImmediate } = globalThis as { setImmediate?: (callback: () => void) => void };
    if (setImmediate !== undefined) setImmediate(resolve);
    else setTimeout(resolve, 0);
  });
}
