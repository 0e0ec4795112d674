import type { ScoreReport, ScoringWeights } from '@kp/scoring';

/**
 * The score that a report would have with other dimensions or weights: the weighted sum anew, then
 * the rules that applied, each of which sets the score or adds as much as before.
 */
export function rescore(
  report: ScoreReport,
  change: { readonly novelty?: number; readonly weights?: ScoringWeights },
): number {
  const { weights = report.weights, novelty = report.dimensions.novelty } = change;
  let score = 0;
  for (const [name, value] of Object.entries(report.dimensions)) {
    score += (name === 'novelty' ? novelty : value) * (weights[name] ?? 0);
  }
  score = Math.min(1, score);
  for (const { rule, before, after } of report.overrides) {
    // An amount that was cut at 0 or 1 counts in full, as it may not be cut now.
    const change = AMOUNTS.get(rule) ?? after - before;
    score = rule === 'single_thought' ? after : Math.min(1, Math.max(0, score + change));
  }
  return score;
}

const AMOUNTS: ReadonlyMap<string, number> = new Map([
  ['error_recovery_bonus', 0.1],
  ['low_tool_diversity', -0.1],
]);
