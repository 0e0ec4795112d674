import type { MemoryAnswer } from '@kp/scoring';
import { heeding, type Question, type Waiting } from './question.ts';

/**
 * Lets one thing be done at a time, in the order asked. Whoever asks while something is under way is
 * answered together with the others who wait.
 */
export class WaitingLine {
  readonly #most: number;
  readonly #answer: (batch: readonly Waiting[]) => Promise<void>;
  #queue: Waiting[] = [];
  #turn: Promise<unknown> = Promise.resolve();

  /**
   * @param most - how many are answered together.
   * @param answer - settles each of a batch, or throws, which rejects those that are not settled.
   */
  constructor(most: number, answer: (batch: readonly Waiting[]) => Promise<void>) {
    this.#most = most;
    this.#answer = answer;
  }

  /** How many questions wait. */
  get waiting(): number {
    return this.#queue.length;
  }

  ask(question: Question, signal: AbortSignal | undefined): Promise<MemoryAnswer> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { question, resolve, reject, isGone: false };
      this.#queue.push(signal === undefined ? waiting : heeding(waiting, signal));
      if (this.#queue.length === 1) void this.alone(() => this.#answerBatch());
    });
  }

  /** Does something when all that was asked for before is done. */
  alone<T>(task: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(task);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  /** Answers what waits, then does the last thing. */
  end(last: () => Promise<void>): Promise<void> {
    return this.alone(async () => {
      while (this.#queue.length > 0) await this.#answerBatch();
      await last();
    });
  }

  async #answerBatch(): Promise<void> {
    const batch = this.#queue.splice(0, this.#most).filter(({ isGone }) => !isGone);
    if (this.#queue.length > 0) void this.alone(() => this.#answerBatch());
    if (batch.length === 0) return;
    try {
      await this.#answer(batch);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
