import type { ReferenceName } from '../measurement/timing.ts';

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

/**
 * The latency table. A figure of milliseconds is far above what the pure parts take, so that any
 * machine keeps it; that a part got twice as slow, its ratio tells.
 */
export const LATENCY_TABLE: Readonly<Record<RowId, LatencyRow>> = {
  complexity: {
    part: 'complexity',
    unit: 'nanoseconds',
    enforced: { ratio: 0.09 },
    reference: 'objects',
    reason: CALIBRATED,
  },
  'tool-diversity': {
    part: 'tool diversity',
    unit: 'nanoseconds',
    enforced: { ratio: 0.088 },
    reference: 'objects',
    reason: CALIBRATED,
  },
  'outcome-confidence': {
    part: 'outcome confidence',
    unit: 'nanoseconds',
    enforced: { ratio: 0.0024 },
    reference: 'objects',
    reason: CALIBRATED,
  },
  composite: {
    part: 'composite',
    unit: 'nanoseconds',
    documented: 0.1 * MILLISECOND,
    enforced: { atMost: 0.1 * MILLISECOND, ratio: 0.00254 },
    reference: 'objects',
    reason: CALIBRATED,
  },
  rules: {
    part: 'rules',
    unit: 'nanoseconds',
    documented: 0.01 * MILLISECOND,
    enforced: { atMost: 0.01 * MILLISECOND, ratio: 0.104 },
    reference: 'objects',
    reason: CALIBRATED,
  },
  'pure-parts': {
    part: 'these five, 5 steps',
    unit: 'nanoseconds',
    documented: 0.8 * MICROSECOND,
    enforced: { ratio: 0.0857 },
    reference: 'objects',
    reason: CALIBRATED,
  },
  'pure-parts-500': {
    part: 'these five, 500 steps',
    unit: 'nanoseconds',
    documented: 10 * MICROSECOND,
    enforced: { ratio: 5.28 },
    reference: 'objects',
    reason: CALIBRATED,
  },
  validation: {
    part: 'validation, 5 steps',
    unit: 'nanoseconds',
    documented: 15 * MICROSECOND,
    enforced: { ratio: 0.6 },
    reference: 'objects',
    reason: GENERATED_VALIDATION,
  },
  scan: {
    part: 'scan of 1,000 vectors of 384',
    unit: 'nanoseconds',
    documented: MILLISECOND,
    enforced: { atMost: MILLISECOND, ratio: 2.25 },
    reference: 'floats',
    reason: CALIBRATED,
  },
  add: {
    part: 'add of a vector of 384',
    unit: 'nanoseconds',
    enforced: { ratio: 0.182 },
    reference: 'floats',
    reason: CALIBRATED,
  },
  'evaluation-none': {
    part: 'evaluation, no embedder',
    unit: 'nanoseconds',
    documented: MILLISECOND,
    enforced: { atMost: MILLISECOND, ratio: 0.99 },
    reference: 'objects',
    reason: GENERATED_VALIDATION,
  },
  'evaluation-around': {
    part: 'evaluation around embedding and scan',
    unit: 'nanoseconds',
    documented: 20 * MICROSECOND,
    enforced: { ratio: 2.3 },
    reference: 'objects',
    reason: GENERATED_VALIDATION,
  },
  'evaluation-lexical': {
    part: 'evaluation, lexical embedder',
    unit: 'nanoseconds',
    documented: 100 * MILLISECOND,
    enforced: { atMost: 100 * MILLISECOND, ratio: 36 },
    reference: 'objects',
    reason: CALIBRATED,
  },
  'evaluation-static': {
    part: 'evaluation, static embedder',
    unit: 'nanoseconds',
    documented: 100 * MILLISECOND,
    enforced: { atMost: 100 * MILLISECOND, ratio: 232 },
    reference: 'objects',
    reason: CALIBRATED,
  },
  'evaluation-transformers': {
    part: 'evaluation, transformers embedder',
    unit: 'nanoseconds',
    documented: 100 * MILLISECOND,
    enforced: { atMost: 100 * MILLISECOND, ratio: 2000 },
    reference: 'floats',
    reason: CALIBRATED,
  },
  'embedding-transformers': {
    part: 'transformers embedder, later calls',
    unit: 'nanoseconds',
    documented: 5 * MILLISECOND,
    enforced: { ratio: 510 },
    reference: 'floats',
    reason: CALIBRATED,
  },
  'first-call-transformers': {
    part: 'transformers embedder, first call',
    unit: 'nanoseconds',
    documented: 50 * MILLISECOND,
    enforced: { ratio: 17 },
    reference: 'process',
    reason:
      'First limit: 1.6 times the median of 10 runs. The documented figure is not enforced: importing the library alone takes as long.',
  },
  'import-facade': {
    part: 'import of the facade, over an empty process',
    unit: 'nanoseconds',
    documented: 30 * MILLISECOND,
    enforced: { ratio: 2.23 },
    reference: 'process',
    reason:
      'First limit: 1.45 times the median of 10 runs. The documented figure is not enforced: on a busy machine every process starts slowly.',
  },
  'memory-per-vector': {
    part: 'memory a vector of 384, of 1,000',
    unit: 'bytes',
    documented: 1_500,
    enforced: { atMost: 2_000 },
    reference: 'none',
    reason: 'The cache keeps a byte a component beside the vector, so that a scan reads less.',
  },
};

export const ROW_IDS: readonly RowId[] = Object.keys(LATENCY_TABLE) as RowId[];
