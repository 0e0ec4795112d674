/** One row to run, and where its vector belongs. */
export interface PlannedRow {
  readonly ids: readonly number[];
  readonly text: number;
}

/** Least share of a batch that is tokens rather than padding. */
const LEAST_FILL = 0.75;
/** Most tokens in a batch, padding included: bounds the memory of a run. */
const MOST_TOKENS = 8_192;

/**
 * Groups rows of like length, so that padding is at most a quarter of any batch.
 *
 * @param most - most rows in a batch; 1 gives every row its own, in order.
 */
export function batches(rows: readonly PlannedRow[], most: number): PlannedRow[][] {
  if (most === 1) return rows.map((row) => [row]);
  const groups: PlannedRow[][] = [];
  let group: PlannedRow[] = [];
  let tokens = 0;
  for (const row of rows.toSorted((a, b) => b.ids.length - a.ids.length)) {
    const width = group[0]?.ids.length ?? row.ids.length;
    const area = width * (group.length + 1);
    const isFull =
      group.length === most || area > MOST_TOKENS || tokens + row.ids.length < LEAST_FILL * area;
    if (group.length > 0 && isFull) {
      groups.push(group);
      group = [];
      tokens = 0;
    }
    group.push(row);
    tokens += row.ids.length;
  }
  if (group.length > 0) groups.push(group);
  return groups;
}
