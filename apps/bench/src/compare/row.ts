import type { NotMeasured, RowCase } from '../enforced/part-cases.ts';
import type { Needs, Product } from './product.ts';

/** A row of the comparison of two revisions. */
export interface ComparedRow {
  readonly id: string;
  readonly part: string;
  readonly unit: 'nanoseconds' | 'bytes';
  /** Factor of a slow-down or size increase that the row detects reliably. */
  readonly factor: number;
}

/**
 * The enabled compilers: all but the last, whose inlining varies between processes, or only the
 * first.
 */
export type Compilers = 'all-but-the-last' | 'baseline';

/** A row that times a function in a loop. */
export interface LoopRow extends ComparedRow {
  /**
   * Rows of one group share processes; they share no functions whose optimisation could interfere.
   */
  readonly group: string;
  /** Enabled compilers of its processes; the same within a group. */
  readonly compilers: Compilers;
  /** Warm-up in milliseconds of CPU time. */
  readonly warmUpMs: number;
  /** CPU time of a block in milliseconds; it must outweigh wake-ups and clock reads. */
  readonly blockMs: number;
  readonly needs: Needs;
  create(product: Product): RowCase | NotMeasured;
}
