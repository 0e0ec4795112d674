// A longer delay overflows the timer's 32-bit integer, and then fires at once.
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * The value of a promise, or `fallback()` when it has not settled within `budgetMs`. The promise
 * goes on; should it reject after that, nothing is thrown.
 */
export function withinBudget<T>(
  promise: Promise<T>,
  budgetMs: number,
  fallback: () => T,
): Promise<T> {
  if (budgetMs > LONGEST_TIMER_MS) return promise;
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => resolve(fallback()), budgetMs);
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
