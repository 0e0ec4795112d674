/** Longest delay of a timer in milliseconds; a longer one overflows 32 bits and fires at once. */
export const LONGEST_TIMER_MS: number = 2 ** 31 - 1;

/**
 * Resolves or rejects like `promise`, or rejects after `timeoutMs`. A later rejection of `promise`
 * is never reported as unhandled.
 *
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
 */
export function rejectOnAbort<T>(
  promise: PromiseLike<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal?.reason);
    const settle = (): void => signal?.removeEventListener('abort', onAbort);
    promise.then(
      (value) => {
        settle();
        resolve(value);
      },
      (error: unknown) => {
        settle();
        reject(error);
      },
    );
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
  });
}
