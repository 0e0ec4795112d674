import type { ComplexityTerms, DimensionScores } from './dimensions.ts';
import type { NearestTrace } from './novelty-memory.ts';
import type { ScoringWeights } from './profiles.ts';
import type { AppliedOverride } from './rules.ts';

/**
 * Where the novelty comes from. `nearest` is a comparison with what is remembered, `corpus` the
 * mean over all orders of a whole corpus (@kp/curation); all others stand for 0.5.
 *
 * - `empty_memory`: nothing is remembered yet.
 * - `no_text`: there is nothing in the text that could be compared; it is not remembered.
 * - `no_embedder`: the scorer has none.
 * - `budget_exceeded`: the comparison was not there in time; the trace is remembered later.
 * - `overloaded`: more is asked than embedder and memory can do; the trace is not remembered.
 * - `embedder_failed`, `memory_failed`: `failure` says why; the trace is not remembered, or it is
 *   not known whether it is.
 */
export type NoveltySource =
  | 'nearest'
  | 'corpus'
  | 'empty_memory'
  | 'no_text'
  | 'no_embedder'
  | 'budget_exceeded'
  | 'overloaded'
  | 'embedder_failed'
  | 'memory_failed';

/** How novelty came about. */
export interface NoveltyReport {
  /** Whether there was a comparison, and if not, why. */
  readonly source: NoveltySource;
  /** The nearest remembered trace, with source `nearest`; with `corpus`, of the whole corpus. */
  readonly nearest?: NearestTrace;
  /**
   * How many remembered traces it was compared with, with sources `nearest` and `empty_memory`,
   * where the memory says.
   */
  readonly comparedWith?: number;
  /** Whether the embedder left out the end of the text; false where there is no embedding. */
  readonly truncated: boolean;
  /** Tokens that the embedder read, where it counts them. */
  readonly tokens?: number;
  /** Pieces that it read the text in, where it cuts long texts into pieces. */
  readonly chunks?: number;
  /** The embedder's id. */
  readonly embedder?: string;
  /** What went wrong, with sources `embedder_failed` and `memory_failed`. */
  readonly failure?: { readonly code: string; readonly message: string };
}

/** By what a score was worked out: two scores are comparable when their formulas are equal. */
export interface Formula {
  /** Whose formula it is. */
  readonly name: 'knowledgepulse';
  /** Another one when the same trace and the same memory may get another score. */
  readonly version: '1';
  /** The cap on the length term, where there is one. */
  readonly lengthCreditCap?: number;
  /** Names of what the user brought, in order; the built-in ones are not listed. */
  readonly own: {
    readonly dimensions: readonly string[];
    readonly rules: readonly string[];
    readonly profiles: readonly string[];
  };
}

/** A score with its whole derivation, plain JSON. */
export interface ScoreReport {
  /** The trace's. */
  readonly traceId: string;
  /** In [0, 1]: the composite after the rules. */
  readonly score: number;
  /** By what it was worked out. */
  readonly formula: Formula;
  /** The name of the weights, picked by `metadata.task_domain`. */
  readonly profile: string;
  /** Those of the profile; they sum to 1. */
  readonly weights: ScoringWeights;
  /** The four and those of the user's own, each in [0, 1]. */
  readonly dimensions: DimensionScores & Readonly<Record<string, number>>;
  /** Value × weight; they sum to `composite`. */
  readonly contributions: DimensionScores & Readonly<Record<string, number>>;
  /** The sum of the contributions, before the rules; in [0, 1]. */
  readonly composite: number;
  /** The rules that applied, in order. */
  readonly overrides: readonly AppliedOverride[];
  /** The terms of the complexity dimension, before it is cut to 1. */
  readonly complexity: ComplexityTerms;
  /** How novelty came about. */
  readonly novelty: NoveltyReport;
  /** Milliseconds from the call to the report. */
  readonly elapsedMs: number;
  /** Whether it was there within the budget. */
  readonly withinBudget: boolean;
}
