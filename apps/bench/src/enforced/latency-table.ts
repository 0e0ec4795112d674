import type { ReferenceName } from '../measurement/timing.ts';

/** One entry of the latency table with its limits. Times are in nanoseconds. */
export interface LatencyRow {
  readonly part: string;
  readonly unit: 'nanoseconds' | 'bytes';
  /** The documented value. */
  readonly documented?: number;
  /** The row fails if it exceeds either limit. */
  readonly enforced: {
    /** Limit in the row's unit. */
    readonly atMost?: number;
    /** Maximum ratio of the value to its reference's time in the same process. */
    readonly ratio?: number;
  };
  /**
   * Reference: `process` is the fixed program of fresh processes, `none` is for values that are not
   * times.
   */
  readonly reference: ReferenceName | 'process' | 'none';
  /** The reason of the last change of the enforced limit. */
  readonly reason: string;
}

export type RowId =
  | 'complexity'
  | 'tool-diversity'
  | 'outcome-confidence'
  | 'composite'
  | 'rules'
  | 'pure-parts'
  | 'pure-parts-500'
  | 'validation'
  | 'scan'
  | 'add'
  | 'evaluation-none'
  | 'evaluation-around'
  | 'evaluation-lexical'
  | 'evaluation-static'
  | 'evaluation-transformers'
  | 'embedding-transformers'
  | 'first-call-transformers'
  | 'import-facade'
  | 'memory-per-vector';

const MICROSECOND = 1e3;
const MILLISECOND = 1e6;
const CALIBRATED = 'First limit: 1.45 times the median of 10 processes, Bun 1.4.5, load 2 to 4.';
const GENERATED_VALIDATION =
  'Lowered when validation got faster, by code generated at build time: 1.45 times the median of 10 processes.';

/** Defines a row with the object loop as its default reference. */
function row(
  part: string,
  enforced: LatencyRow['enforced'],
  others: Partial<LatencyRow> = {},
): LatencyRow {
  return {
    part,
    unit: 'nanoseconds',
    enforced,
    reference: 'objects',
    reason: CALIBRATED,
    ...others,
  };
}

/**
 * The latency table. Limits in milliseconds are far above the time of the pure parts, so any
 * machine meets them; the ratio reveals when a part becomes twice as slow.
 */
export const LATENCY_TABLE: Readonly<Record<RowId, LatencyRow>> = {
  complexity: row('complexity', { ratio: 0.09 }),
  'tool-diversity': row('tool diversity', { ratio: 0.088 }),
  'outcome-confidence': row('outcome confidence', { ratio: 0.0024 }),
  composite: row(
    'composite',
    { atMost: 0.1 * MILLISECOND, ratio: 0.00254 },
    { documented: 0.1 * MILLISECOND },
  ),
  rules: row(
    'rules',
    { atMost: 0.01 * MILLISECOND, ratio: 0.104 },
    { documented: 0.01 * MILLISECOND },
  ),
  'pure-parts': row('these five, 5 steps', { ratio: 0.0857 }, { documented: 0.8 * MICROSECOND }),
  'pure-parts-500': row('these five, 500 steps', { ratio: 5.28 }, { documented: 10 * MICROSECOND }),
  validation: row(
    'validation, 5 steps',
    { ratio: 0.6 },
    { documented: 15 * MICROSECOND, reason: GENERATED_VALIDATION },
  ),
  scan: row(
    'scan of 1,000 vectors of 384',
    { atMost: MILLISECOND, ratio: 2.25 },
    { documented: MILLISECOND, reference: 'floats' },
  ),
  add: row('add of a vector of 384', { ratio: 0.182 }, { reference: 'floats' }),
  'evaluation-none': row(
    'evaluation, no embedder',
    { atMost: MILLISECOND, ratio: 0.99 },
    { documented: MILLISECOND, reason: GENERATED_VALIDATION },
  ),
  'evaluation-around': row(
    'evaluation around embedding and scan',
    { ratio: 2.3 },
    { documented: 20 * MICROSECOND, reason: GENERATED_VALIDATION },
  ),
  'evaluation-lexical': row(
    'evaluation, lexical embedder',
    { atMost: 100 * MILLISECOND, ratio: 36 },
    { documented: 100 * MILLISECOND },
  ),
  'evaluation-static': row(
    'evaluation, static embedder',
    { atMost: 100 * MILLISECOND, ratio: 232 },
    { documented: 100 * MILLISECOND },
  ),
  'evaluation-transformers': row(
    'evaluation, transformers embedder',
    { atMost: 100 * MILLISECOND, ratio: 2000 },
    { documented: 100 * MILLISECOND, reference: 'floats' },
  ),
  'embedding-transformers': row(
    'transformers embedder, later calls',
    { ratio: 510 },
    { documented: 5 * MILLISECOND, reference: 'floats' },
  ),
  'first-call-transformers': row(
    'transformers embedder, first call',
    { ratio: 17 },
    {
      documented: 50 * MILLISECOND,
      reference: 'process',
      reason:
        'First limit: 1.6 times the median of 10 runs. The documented figure is not enforced: importing the library alone takes as long.',
    },
  ),
  'import-facade': row(
    'import of the facade, over an empty process',
    { ratio: 2.23 },
    {
      documented: 30 * MILLISECOND,
      reference: 'process',
      reason:
        'First limit: 1.45 times the median of 10 runs. The documented figure is not enforced: on a busy machine every process starts slowly.',
    },
  ),
  'memory-per-vector': row(
    'memory a vector of 384, of 1,000',
    { atMost: 2_000 },
    {
      unit: 'bytes',
      documented: 1_500,
      reference: 'none',
      reason:
        'The cache stores one byte per component beside the vector, so that a scan reads less.',
    },
  ),
};

export const ROW_IDS: readonly RowId[] = Object.keys(LATENCY_TABLE) as RowId[];
