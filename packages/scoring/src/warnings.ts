/** Something went wrong that no caller may be waiting to hear. */
export interface ScorerWarning {
  /**
   * `EMBEDDER_FAILED`: reported once, until an embedding succeeds again.
   * `MEMORY_FAILED`: a trace could not be compared or remembered after its report was given.
   */
  readonly code: 'EMBEDDER_FAILED' | 'MEMORY_FAILED';
  readonly message: string;
  readonly cause: unknown;
}

export type OnWarning = (warning: ScorerWarning) => void;

/** Prints to the console, where there is one. */
export function printWarning(warning: ScorerWarning): void {
  // biome-ignore lint/suspicious/noConsole: a failed model load must be visible without any set-up.
  globalThis.console?.warn(`[@kp/scoring] ${warning.message}`);
}
