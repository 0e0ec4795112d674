/** What an input under 1 MB may take. */
export const LIMITS = {
  /** Of a processor; the time on the clock depends on what else the machine does. */
  processorMs: 2000,
  bytes: 500_000_000,
  /** On the clock, after which an input counts as one that hangs, if the process computed at all. */
  hangMs: 120_000,
} as const;

/** What one process of the fuzzer leaves behind. */
export interface RunOutcome {
  readonly inputs: number;
  /** Empty when no input failed. */
  readonly failure: string;
}
