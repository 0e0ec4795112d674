import { messageOf } from '@kp/foundation';

/** Something went wrong that no caller may be waiting to hear. */
export interface ScorerWarning {
  /**
   * Each is reported once, until the part works again.
   *
   * `EMBEDDER_FAILED`: traces are scored with novelty 0.5 and not remembered.
   * `MEMORY_FAILED`: the same, because the memory failed or gave an answer that is not usable.
   * `OVERLOADED`: more is asked than embedder and memory can do; what is over is shed.
   */
  readonly code: 'EMBEDDER_FAILED' | 'MEMORY_FAILED' | 'OVERLOADED';
  /** What happened, in a sentence. */
  readonly message: string;
  /** What was thrown, if anything. */
  readonly cause: unknown;
}

/**
 * Waited for when it gives a promise. A handler that throws or rejects breaks nothing: its failure is
 * printed beside the warning.
 */
export type OnWarning = (warning: ScorerWarning) => unknown;

/** Gives each warning once, until all is well again. */
export interface Warnings {
  warn(code: ScorerWarning['code'], message: string, cause: unknown): void;
  /** The part of that code works. */
  clear(code: ScorerWarning['code']): void;
}

export function createWarnings(onWarning: OnWarning = printWarning): Warnings {
  const given = new Set<ScorerWarning['code']>();
  return {
    warn(code, message, cause) {
      if (given.has(code)) return;
      given.add(code);
      // Not within the call that warns: a handler that uses the scorer must find it in order.
      queueMicrotask(() => void deliver({ code, message, cause }, onWarning));
    },
    clear(code) {
      if (given.size > 0) given.delete(code);
    },
  };
}

async function deliver(warning: ScorerWarning, onWarning: OnWarning): Promise<void> {
  try {
    await onWarning(warning);
  } catch (error) {
    printWarning(warning);
    print(`onWarning failed: ${messageOf(error)}`);
  }
}

function printWarning({ message }: ScorerWarning): void {
  print(message);
}

/** Prints to the console, where there is one. */
function print(message: string): void {
  // biome-ignore lint/suspicious/noConsole: a failed model load must be visible without any set-up.
  globalThis.console?.warn(`[@kp/scoring] ${message}`);
}
