import type { MemoryAnswer } from '@kp/scoring';
import { MemoryStoreError } from '../errors.ts';
import type { Answers } from '../log/answers.ts';
import type { LogFacts, Space, StoredEntry } from '../log/log.ts';
import type { Question } from '../log/question.ts';
import { SpaceGoneError } from './postgres-errors.ts';

/**
 * Whoever answers for a namespace, wherever it is moved to while this is open.
 *
 * @param first - who does now.
 * @param enter - finds who does after a move.
 * @param leave - called once, after the last of them was closed.
 */
export function followMoves(
  first: Answers,
  enter: () => Promise<Answers>,
  leave: () => Promise<void>,
): Answers {
  return new MovingAnswers(first, enter, leave);
}

class MovingAnswers implements Answers {
  #current: Answers;
  #next: Promise<Answers> | undefined;
  readonly #enter: () => Promise<Answers>;
  readonly #leave: () => Promise<void>;

  constructor(first: Answers, enter: () => Promise<Answers>, leave: () => Promise<void>) {
    this.#current = first;
    this.#enter = enter;
    this.#leave = leave;
  }

  get engine(): string {
    return this.#current.engine;
  }

  get space(): Space {
    return this.#current.space;
  }

  get waiting(): number {
    return this.#current.waiting;
  }

  ask(question: Question, signal: AbortSignal | undefined): Promise<MemoryAnswer> {
    return this.#wherever((answers) => {
      signal?.throwIfAborted();
      return answers.ask(question, signal);
    });
  }

  size(): Promise<number> {
    return this.#wherever((answers) => answers.size());
  }

  forget(key: string): Promise<number> {
    return this.#wherever((answers) => answers.forget(key));
  }

  facts(): Promise<LogFacts> {
    return this.#wherever((answers) => answers.facts());
  }

  async *stored(): AsyncGenerator<StoredEntry> {
    await this.size();
    try {
      yield* this.#current.stored();
    } catch (error) {
      if (!(error instanceof SpaceGoneError)) throw error;
      throw new MemoryStoreError({
        code: 'MEMORY_UNAVAILABLE',
        subject: `namespace ${JSON.stringify(this.space.namespace)}`,
        expected: 'one that stays while it is listed',
        received: 'one that was moved meanwhile',
        remedy: 'begin again',
        cause: error,
      });
    }
  }

  async close(): Promise<void> {
    await this.#current.close();
    await this.#leave();
  }

  async #wherever<T>(ask: (answers: Answers) => Promise<T>): Promise<T> {
    for (;;) {
      const asked = this.#current;
      try {
        return await ask(asked);
      } catch (error) {
        if (!(error instanceof SpaceGoneError)) throw error;
        await this.#follow(asked);
      }
    }
  }

  /** All who find it gone go together. */
  async #follow(gone: Answers): Promise<void> {
    if (this.#current !== gone) return;
    this.#next ??= this.#enter().finally(() => {
      this.#next = undefined;
    });
    const next = await this.#next;
    if (this.#current === gone) this.#current = next;
  }
}
