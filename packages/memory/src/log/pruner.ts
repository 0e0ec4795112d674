import { messageOf } from '@kp/foundation';
import type { MemoryLog } from './log.ts';
import type { ResolvedOptions } from './options.ts';

const PRUNE_AFTER = 1000;

/**
 * Deletes, from time to time and in the background, the rows of a log before the oldest needed one.
 */
export class Pruner {
  readonly #log: MemoryLog;
  readonly #options: ResolvedOptions;
  #rowsRead = 0;
  #pruning: Promise<void> | undefined;
  #isEnded = false;

  constructor(log: MemoryLog, options: ResolvedOptions) {
    this.#log = log;
    this.#options = options;
  }

  /** Counts one more row that was read. */
  count(): void {
    this.#rowsRead++;
  }

  /** Restarts the count because the log is read from its beginning again. */
  restart(): void {
    this.#rowsRead = 0;
  }

  /** @param oldestNeeded - position of the oldest row that is needed. */
  pruneWhenDue(oldestNeeded: () => number): void {
    const { maxElements } = this.#log.space;
    if (this.#pruning !== undefined || this.#rowsRead < PRUNE_AFTER + maxElements / 4) return;
    this.#rowsRead = 0;
    this.#pruning = this.#log
      .prune(oldestNeeded())
      .catch((cause: unknown) => {
        const message = `${this.#log.engine}: old rows could not be deleted: ${messageOf(cause)}`;
        this.#options.onWarning({ code: 'MEMORY_NOT_PRUNED', message, cause });
      })
      .finally(() => {
        this.#pruning = undefined;
        // Rows that were read meanwhile may be the last for a long time.
        if (!this.#isEnded) this.pruneWhenDue(oldestNeeded);
      });
  }

  /** Waits for a running deletion, and starts no other. */
  async end(): Promise<void> {
    this.#isEnded = true;
    await this.#pruning;
  }
}
