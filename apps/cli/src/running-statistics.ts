/** Count, mean and spread of numbers that pass by; keeps none of them. */
export interface RunningStatistics {
  readonly count: number;
  /** NaN when there is none. */
  readonly mean: number;
  /** Standard deviation of the numbers themselves, not an estimate from a sample. */
  readonly standardDeviation: number;
  readonly minimum: number;
  readonly maximum: number;
}

/** @see Welford, 'Note on a method for calculating corrected sums of squares and products', 1962. */
export function createRunningStatistics(): { add(value: number): void; read(): RunningStatistics } {
  let count = 0;
  let mean = 0;
  let squares = 0;
  let minimum = Number.POSITIVE_INFINITY;
  let maximum = Number.NEGATIVE_INFINITY;
  return {
    add(value) {
      count++;
      const before = value - mean;
      mean += before / count;
      squares += before * (value - mean);
      minimum = Math.min(minimum, value);
      maximum = Math.max(maximum, value);
    },
    read: () => ({
      count,
      mean: count === 0 ? Number.NaN : mean,
      standardDeviation: count === 0 ? Number.NaN : Math.sqrt(squares / count),
      minimum,
      maximum,
    }),
  };
}
