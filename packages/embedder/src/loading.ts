import { EmbedderLoadError, messageOf } from './errors.ts';

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
  let failedAt = Number.NEGATIVE_INFINITY;
  let retryAt = Number.NEGATIVE_INFINITY;

  const attempt = async (): Promise<T> => {
    try {
      return await load();
    } catch (error) {
      failedAt = now();
      retryAt = failedAt + Math.min(maxDelayMs, initialDelayMs * 2 ** failures);
      failures++;
      if (error instanceof EmbedderLoadError) error.retryAt = retryAt;
      throw error;
    }
  };

  return () => {
    const time = now();
    // A clock that was set back does not say how long ago the failure was.
    const isDue = retryAt !== Number.POSITIVE_INFINITY && (time >= retryAt || time < failedAt);
    if (current === undefined || isDue) {
      // While the attempt runs, and once it has succeeded, nothing is due.
      retryAt = Number.POSITIVE_INFINITY;
      current = attempt();
    }
    return current;
  };
}

/**
 * Where a package would be imported from; undefined where it is not installed, and in most bundles,
 * which have no packages any more. Loads nothing.
 *
 * The name is a parameter so that bundlers do not follow it.
 */
export function locatePackage(name: string): string | undefined {
  if (typeof import.meta.resolve !== 'function') return undefined;
  try {
    return import.meta.resolve(name);
  } catch {
    return undefined;
  }
}

/** Whether a package can be imported from here. */
export function isInstalled(name: string): boolean {
  return locatePackage(name) !== undefined;
}

/**
 * Imports an optional peer, or says what to do about it.
 *
 * @param load - a dynamic import with the name as a literal, which bundlers need.
 * @param alternative - what works without it.
 * @throws EmbedderLoadError `DEPENDENCY_MISSING` or `DEPENDENCY_BROKEN`.
 */
export async function importPeer(
  name: string,
  load: () => Promise<unknown>,
  alternative: string,
): Promise<unknown> {
  try {
    return await load();
  } catch (cause) {
    if (!isInstalled(name)) {
      throw new EmbedderLoadError({
        code: 'DEPENDENCY_MISSING',
        subject: name,
        expected: 'the optional peer dependency to be installed',
        received: messageOf(cause),
        remedy: `Install it (bun add ${name}), or use ${alternative}.`,
        cause,
      });
    }
    throw new EmbedderLoadError({
      code: 'DEPENDENCY_BROKEN',
      subject: name,
      expected: 'a package that can be imported',
      received: messageOf(cause),
      remedy: 'Reinstall it; what it has of native code must match this platform.',
      cause,
    });
  }
}
