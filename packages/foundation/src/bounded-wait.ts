/** Longest delay of a timer in milliseconds; a longer one overflows 32 bits and fires at once. */
export const LONGEST_TIMER_MS: number = 2 ** 31 - 1;

/**
 * Resolves or rejects like `promise`, or rejects after `timeoutMs`. A later rejection of `promise`
 * is never reported as unhandled.
 *
 * @param promise - the operation to wait for.
 * @param timeoutMs - milliseconds; above 2³¹ − 1, for instance Infinity, there is no limit.
 * @param onTimeout - called once when the time is up; returns the reason of the rejection. Abort the
 *   operation here.
 */
export function withTimeout<T>(
  promise: PromiseLike<T>,
  timeoutMs: number,
  onTimeout: () => unknown,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const expire = (): void => reject(onTimeout());
    const timer = timeoutMs > LONGEST_TIMER_MS ? undefined : setTimeout(expire, timeoutMs);
    promise.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}

/**
 * Resolves or rejects like `promise`, or rejects with the signal's reason once it is aborted. A
 * later rejection of `promise` is never reported as unhandled.
 *
 * @param promise - the operation to wait for.
 * @param signal - ends the wait; without it, there is no limit.
 */
export function rejectOnAbort<T>(
  promise: PromiseLike<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const stopListening = signal && onAbort(signal, () => reject(signal.reason));
    promise.then(
      (value) => {
        stopListening?.();
        resolve(value);
      },
      (error: unknown) => {
        stopListening?.();
        reject(error);
      },
    );
  });
}

interface SharedListener {
  readonly listeners: Set<() => void>;
  readonly handler: () => void;
}

const shared = new WeakMap<AbortSignal, SharedListener>();

/**
 * Calls a function when the signal is aborted, or at once if it is already aborted. All functions
 * share one event listener per signal, because Node warns of a leak from the eleventh listener on.
 *
 * @param signal - the signal to listen to.
 * @param listener - must not throw; pass a different function in each call.
 * @returns a function that stops listening.
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) {
    listener();
    return () => undefined;
  }
  const { listeners, handler } = shared.get(signal) ?? listenTo(signal);
  listeners.add(listener);
  return () => {
    if (!listeners.delete(listener) || listeners.size > 0) return;
    shared.delete(signal);
    signal.removeEventListener('abort', handler);
  };
}

function listenTo(signal: AbortSignal): SharedListener {
  const listeners = new Set<() => void>();
  const handler = (): void => {
    for (const listener of listeners) listener();
  };
  const added = { listeners, handler };
  shared.set(signal, added);
  signal.addEventListener('abort', handler, { once: true });
  return added;
}
