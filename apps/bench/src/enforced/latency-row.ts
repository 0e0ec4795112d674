import type { ReferenceName } from '../measurement/reference-loops.ts';

/** One promise of the latency table, and how it is held to. Times are in nanoseconds. */
export interface LatencyRow {
  readonly part: string;
  readonly unit: 'nanoseconds' | 'bytes';
  /** What the documentation says. */
  readonly documented?: number;
  /** The row fails when it is over either of these. */
  readonly enforced: {
    /** In the row's unit. */
    readonly atMost?: number;
    /** The most that the value may be of the time of its reference, in the same process. */
    readonly ratio?: number;
  };
  /** `process` is the fixed program of fresh processes, `none` for what is not a time. */
  readonly reference: ReferenceName | 'process' | 'none';
  /** Why the enforced limit is what it is: of its last change. */
  readonly reason: string;
}
