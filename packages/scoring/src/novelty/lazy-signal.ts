import { withTimeout } from '@kp/foundation';
import { OperationTimeoutError } from './errors.ts';

/** A signal that is created on first use, because most operations end without reading it. */
export interface LazySignal {
  readonly signal: AbortSignal;
  readonly abort: (reason: unknown) => void;
}

export function createLazySignal(): LazySignal {
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
 * Resolves to the answer of an operation of an embedder or memory. On timeout, rejects with {@link
 * OperationTimeoutError} and aborts the operation's signal.
 *
 * @param subject - the operation, for the error.
 */
export function boundOperation<T>(
  subject: string,
  timeoutMs: number,
  answer: PromiseLike<T>,
  lazySignal: LazySignal,
): Promise<T> {
  return withTimeout(answer, timeoutMs, () => {
    const error = new OperationTimeoutError(subject, timeoutMs);
    lazySignal.abort(error);
    return error;
  });
}
