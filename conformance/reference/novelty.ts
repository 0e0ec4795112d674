/** The memory of past vectors as the specification states it, for sequences of evaluations. */

/** One evaluation of a sequence. */
export interface SequenceStep {
  /** The clock in milliseconds. */
  readonly atMs: number;
  readonly vector: readonly number[];
}

export interface Limits {
  readonly maxElements: number;
  /** Milliseconds after which a vector is forgotten; null: never. */
  readonly ttlMs: number | null;
}

/** The similarity of each step to the most similar one remembered; null when nothing is. */
export function similaritiesByReference(
  steps: readonly SequenceStep[],
  { maxElements, ttlMs }: Limits,
): (number | null)[] {
  let memory: SequenceStep[] = [];
  return steps.map((step) => {
    memory = memory.filter(({ atMs }) => ttlMs === null || step.atMs - atMs < ttlMs);
    const similarities = memory.map(({ vector }) => cosine(step.vector, vector));
    memory = [...memory, step].slice(-maxElements);
    return similarities.length === 0 ? null : Math.max(...similarities);
  });
}

/** Novelty by the most similar vector remembered. */
export function noveltyByReference(similarity: number | null): number {
  return similarity === null ? 0.5 : Math.min(1, Math.max(0, 1 - similarity));
}

/** 0 when either vector is all zeros. */
function cosine(a: readonly number[], b: readonly number[]): number {
  const norms = Math.sqrt(dot(a, a)) * Math.sqrt(dot(b, b));
  return norms === 0 ? 0 : dot(a, b) / norms;
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}
