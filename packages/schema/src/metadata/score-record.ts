/** The key under which a scored trace carries its {@link ScoreRecord}. */
export const SCORE_RECORD_KEY = 'kp:score';

/** How a trace's `quality_score` was computed, so that two scores can be compared. */
export interface ScoreRecord {
  /** Name and version of the formula. */
  readonly formula: { readonly name: string; readonly version: string };
  /** Name of the weight profile. */
  readonly profile: string;
  /** The weight of each dimension, in [0, 1]. */
  readonly weights: Readonly<Record<string, number>>;
  /** The value of each dimension, in [0, 1]. */
  readonly dimensions: Readonly<Record<string, number>>;
  /** Names of the rules that changed the score. */
  readonly overrides: readonly string[];
  /** What the trace was compared with; `embedder` is null if there was none. */
  readonly novelty: {
    readonly source: string;
    readonly embedder: string | null;
    readonly comparedWith: number;
  };
}
