import { OperationTimeoutError } from './errors.ts';

// A longer delay overflows the timer's 32-bit integer, and then fires at once.
export const LONGEST_TIMER_MS: number = 2 ** 31 - 1;

/** A signal that is made when it is looked at: most calls are answered at once, and never do. */
export interface LazySignal {
  readonly signal: AbortSignal;
  readonly abort: (reason: unknown) => void;
}

export function lazySignal(): LazySignal {
  let controller: AbortController | undefined;
  let aborted: { readonly reason: unknown } | undefined;
  return {
    get signal() {
      controller ??= new AbortController();
      if (aborted !== undefined) controller.abort(aborted.reason);
      return controller.signal;
    },
    abort(reason) {
      aborted = { reason };
      controller?.abort(reason);
    },
  };
}

/**
 * The answer, or a rejection with {@link OperationTimeoutError} when it does not come in time; then
 * the signal is aborted, and what comes later is not listened to.
 *
 * @param subject - whose time-out it is, for the error.
 */
export function inTime<T>(
  subject: string,
  timeoutMs: number,
  answer: PromiseLike<T>,
  lazy: LazySignal,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      const error = new OperationTimeoutError(subject, timeoutMs);
      reject(error);
      lazy.abort(error);
    };
    const timer = timeoutMs > LONGEST_TIMER_MS ? undefined : setTimeout(giveUp, timeoutMs);
    answer.then(
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

export function isPromise<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && 'then' in value;
}

/** What a timer is to do is not worth waiting for, where timers keep a process alive. */
export function letProcessEnd(timer: unknown): void {
  if (typeof timer !== 'object' || timer === null) return;
  if ('unref' in timer && typeof timer.unref === 'function') timer.unref();
}
