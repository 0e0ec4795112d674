/** A figure of issue and documentation, and whether it was reached. */
export interface Claim {
  readonly what: string;
  readonly measured: number;
  readonly bound: 'at most' | 'at least' | 'exactly';
  readonly limit: number;
  readonly unit: string;
}

export function holds({ measured, bound, limit }: Claim): boolean {
  if (bound === 'exactly') return measured === limit;
  return bound === 'at most' ? measured <= limit : measured >= limit;
}

/** Milliseconds that each of `runs` calls takes, in the median. */
export async function medianMs(runs: number, call: (run: number) => unknown): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < runs; run++) {
    const startedAt = performance.now();
    await call(run);
    times.push(performance.now() - startedAt);
  }
  return median(times);
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** The longest time that the event loop was held while `work` ran, in milliseconds. */
export async function longestBlockMs(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isOver = false;
  let last = performance.now();
  const tick = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  try {
    await work();
  } finally {
    isOver = true;
  }
  tick();
  return longest;
}
