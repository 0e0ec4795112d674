import { EmbedderLoadError } from './embedder-load-error.ts';

/** How long to wait after failed loads, and by which clock. */
export interface RetryOptions {
  /** Wait after the first failure, in milliseconds; doubled after each further one. Default 1,000. */
  readonly initialDelayMs?: number;
  /** Longest wait, in milliseconds. Default 300,000. */
  readonly maxDelayMs?: number;
  /** The clock, in milliseconds. Default `Date.now`. */
  readonly now?: () => number;
}

/**
 * Wraps a load so that parallel callers share one attempt, success is kept, and failure is kept
 * only until the next attempt is due.
 *
 * @returns a function that gives the loaded value. Between a failed attempt and the next due one it
 *   rejects at once with the error of that attempt, whose `retryAt` says when that is.
 */
export function retryingLoad<T>(
  load: () => Promise<T>,
  options: RetryOptions = {},
): () => Promise<T> {
  const { initialDelayMs = 1_000, maxDelayMs = 300_000, now = Date.now } = options;
  let current: Promise<T> | undefined;
  let failures = 0;
  let retryAt = Number.NEGATIVE_INFINITY;

  const attempt = async (): Promise<T> => {
    try {
      const value = await load();
      failures = 0;
      retryAt = Number.POSITIVE_INFINITY;
      return value;
    } catch (error) {
      retryAt = now() + Math.min(maxDelayMs, initialDelayMs * 2 ** failures);
      failures++;
      if (error instanceof EmbedderLoadError) error.retryAt = retryAt;
      throw error;
    }
  };

  return () => {
    const isDue = retryAt !== Number.POSITIVE_INFINITY && now() >= retryAt;
    if (current === undefined || isDue) {
      // While the attempt runs, nothing is due: later callers join it.
      retryAt = Number.POSITIVE_INFINITY;
      current = attempt();
    }
    return current;
  };
}
