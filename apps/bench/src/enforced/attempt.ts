import type { RowId } from './latency-table.ts';

/** One measurement of a row, or why there is none. */
export type RowResult =
  | { readonly id: RowId; readonly value: number; readonly ratio?: number }
  | { readonly id: RowId; readonly notMeasured: string };

/** Measures rows in processes of their own, so that two attempts share nothing. */
export type MeasureRows = (ids: readonly RowId[]) => Promise<RowResult[]>;
