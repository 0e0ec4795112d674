/** Limits for an input under 1 MB. */
export const LIMITS = {
  /** Processor time; wall-clock time depends on other load. */
  processorMs: 2000,
  bytes: 500_000_000,
  /** Wall-clock time after which an input counts as hanging, if the process used the processor. */
  hangMs: 120_000,
} as const;

/** The outcome of one fuzzer process. */
export interface RunOutcome {
  readonly inputs: number;
  /** Empty if no input failed. */
  readonly failure: string;
}
