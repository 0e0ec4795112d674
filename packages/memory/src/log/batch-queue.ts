import { rejectOnAbort } from '@kp/foundation';
import type { MemoryAnswer } from '@kp/scoring';
import type { MemoryRequest } from './memory-backend.ts';

/** A request that waits for its answer. */
export interface PendingRequest {
  readonly request: MemoryRequest;
  readonly signal: AbortSignal | undefined;
  resolve(answer: MemoryAnswer): void;
  reject(reason: unknown): void;
}

/**
 * Runs one task at a time, in the order of the calls. Requests that arrive while a task runs are
 * answered together, as one batch.
 */
export class BatchQueue {
  readonly #maxBatchSize: number;
  readonly #answer: (batch: readonly PendingRequest[]) => Promise<void>;
  #pending: PendingRequest[] = [];
  #last: Promise<unknown> = Promise.resolve();

  /** @param answer - settles each request of a batch; if it throws, the unsettled ones reject. */
  constructor(maxBatchSize: number, answer: (batch: readonly PendingRequest[]) => Promise<void>) {
    this.#maxBatchSize = maxBatchSize;
    this.#answer = answer;
  }

  get pendingCount(): number {
    return this.#pending.length;
  }

  /** Rejects when the signal is aborted; a request that was already sent may still take effect. */
  add(request: MemoryRequest, signal: AbortSignal | undefined): Promise<MemoryAnswer> {
    const answer = new Promise<MemoryAnswer>((resolve, reject) => {
      this.#pending.push({ request, signal, resolve, reject });
      if (this.#pending.length === 1) void this.runExclusive(() => this.#answerBatch());
    });
    return rejectOnAbort(answer, signal);
  }

  /** Runs a task after everything that was requested before it. */
  runExclusive<T>(task: () => Promise<T>): Promise<T> {
    const done = this.#last.then(task);
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** Answers the pending requests, then runs a last task. */
  close(last: () => Promise<void>): Promise<void> {
    return this.runExclusive(async () => {
      while (this.#pending.length > 0) await this.#answerBatch();
      await last();
    });
  }

  async #answerBatch(): Promise<void> {
    const taken = this.#pending.splice(0, this.#maxBatchSize);
    if (this.#pending.length > 0) void this.runExclusive(() => this.#answerBatch());
    const batch = taken.filter(({ signal }) => signal?.aborted !== true);
    if (batch.length === 0) return;
    try {
      await this.#answer(batch);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
