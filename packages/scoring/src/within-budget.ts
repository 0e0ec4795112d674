// A longer delay overflows the timer's 32-bit integer, and then fires at once.
const LONGEST_TIMER_MS = 2 ** 31 - 1;
// Timers fire up to about a millisecond late, and the report has to be made after that.
const LATENESS_MS = 2;

/**
 * The value of a promise, or `fallback()` when it has not settled in time for an answer within
 * `budgetMs` of `startedAt`, a reading of `performance.now()`. The promise goes on; should it
 * reject after that, nothing is thrown.
 */
export function withinBudget<T>(
  promise: Promise<T>,
  startedAt: number,
  budgetMs: number,
  fallback: () => T,
): Promise<T> {
  if (budgetMs > LONGEST_TIMER_MS) return promise;
  return new Promise<T>((resolve, reject) => {
    const left = startedAt + budgetMs - LATENESS_MS - performance.now();
    const timer = setTimeout(() => resolve(fallback()), Math.max(0, left));
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
