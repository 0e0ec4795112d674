import type { ReferenceName } from './reference-loops.ts';

/** Something to be timed. */
export interface MeasuredCase {
  /** The loop whose time the time of this case is divided by. */
  readonly reference: ReferenceName;
  /** Operations that one run does; times are given an operation. */
  readonly operations: number;
  /** Returns what it worked out, or a promise of it. */
  readonly run: () => unknown;
}

/** The median time of a case. */
export interface CaseTime {
  readonly nanoseconds: number;
  /** Time an operation, divided by the time of one run of the reference loop beside it. */
  readonly ratio: number;
}
