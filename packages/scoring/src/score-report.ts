import type { ComplexityTerms } from './complexity.ts';
import type { DimensionScores } from './composite-score.ts';
import type { NearestTrace } from './novelty-memory.ts';
import type { AppliedOverride } from './overrides.ts';
import type { ScoringWeights } from './weights.ts';

/**
 * Where the novelty comes from. Only `nearest` is a comparison; all others stand for 0.5:
 * nothing is remembered, there is no embedder, the embedding was not there in time, or it failed.
 */
export type NoveltySource =
  | 'nearest'
  | 'empty_memory'
  | 'no_embedder'
  | 'budget_exceeded'
  | 'embedder_failed';

export interface NoveltyReport {
  readonly source: NoveltySource;
  /** The nearest remembered trace, with source `nearest`. */
  readonly nearest?: NearestTrace;
  /** How many remembered traces it was compared with, with sources `nearest` and `empty_memory`. */
  readonly comparedWith?: number;
  /** Whether the embedder left out the end of the text; false where there is no embedding. */
  readonly truncated: boolean;
  /** Tokens that the embedder read, where it counts them. */
  readonly tokens?: number;
  /** Pieces that it read the text in, where it cuts long texts into pieces. */
  readonly chunks?: number;
  /** The embedder's id. */
  readonly embedder?: string;
  /** What went wrong, with source `embedder_failed`. */
  readonly failure?: { readonly code: string; readonly message: string };
}

/** A score with its whole derivation, plain JSON. */
export interface ScoreReport {
  readonly traceId: string;
  /** In [0, 1]: the composite after the rules. */
  readonly score: number;
  readonly profile: string;
  readonly weights: ScoringWeights;
  readonly dimensions: DimensionScores;
  /** Value × weight; they sum to `composite`. */
  readonly contributions: DimensionScores;
  readonly composite: number;
  /** The rules that applied, in order. */
  readonly overrides: readonly AppliedOverride[];
  /** The terms of the complexity dimension, before it is cut to 1. */
  readonly complexity: ComplexityTerms;
  readonly novelty: NoveltyReport;
  /** Milliseconds from the call to the report. */
  readonly elapsedMs: number;
  readonly withinBudget: boolean;
}
