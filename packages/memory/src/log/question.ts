import type { MemoryAnswer } from '@kp/scoring';
import type { NewRow } from './log.ts';

/** What is asked of a memory: to compare, or to compare and then to remember. */
export type Question =
  | { readonly kind: 'nearest'; readonly vector: Float32Array; readonly floor: number | undefined }
  | (NewRow & {
      /** False: it is only to be remembered, and the answer says nothing. */
      readonly compare: boolean;
    });

/** A question and whoever waits for its answer. */
export interface Waiting {
  readonly question: Question;
  resolve: (answer: MemoryAnswer) => void;
  reject: (reason: unknown) => void;
  /** Nobody waits for it any more. */
  isGone: boolean;
}

/** Rejects what waits when the signal is aborted; what was sent still lands. */
export function heeding(waiting: Waiting, signal: AbortSignal): Waiting {
  const { resolve, reject } = waiting;
  const giveUp = (): void => {
    waiting.isGone = true;
    reject(signal.reason);
  };
  signal.addEventListener('abort', giveUp, { once: true });
  const settled = (): void => signal.removeEventListener('abort', giveUp);
  waiting.resolve = (answer) => {
    settled();
    resolve(answer);
  };
  waiting.reject = (reason) => {
    settled();
    reject(reason);
  };
  return waiting;
}
