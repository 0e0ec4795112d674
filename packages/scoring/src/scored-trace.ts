import type { ReasoningTrace } from '@kp/schema';
import { type ComplexityTerms, complexityTerms, sumOfTerms } from './complexity.ts';
import { contributionsOf, sumOfContributions } from './composite-score.ts';
import { noveltyOf, UNKNOWN_NOVELTY } from './novelty.ts';
import { outcomeConfidence } from './outcome-confidence.ts';
import { applyRules } from './overrides.ts';
import { profileFor, type ResolvedProfile } from './profiles.ts';
import type { NoveltyReport, ScoreReport } from './score-report.ts';
import { countSteps, type StepCounts } from './step-counts.ts';
import { toolDiversityOf } from './tool-diversity.ts';
import type { ScoringWeights } from './weights.ts';

/**
 * All of a trace that a report needs but its novelty, taken at the moment of the call: what the
 * caller does to the trace afterwards changes nothing.
 */
export interface ScoredTrace {
  readonly traceId: string;
  readonly success: boolean;
  readonly profile: ResolvedProfile;
  readonly counts: StepCounts;
  readonly terms: ComplexityTerms;
  readonly outcomeConfidence: number;
}

export function scoreTrace(
  trace: ReasoningTrace,
  profiles: ReadonlyMap<string, ScoringWeights>,
  lengthCreditCap: number,
): ScoredTrace {
  const counts = countSteps(trace.steps);
  return {
    traceId: trace.id,
    success: trace.metadata.success,
    profile: profileFor(trace.metadata.task_domain, profiles),
    counts,
    terms: complexityTerms(counts, lengthCreditCap),
    outcomeConfidence: outcomeConfidence(trace),
  };
}

export function reportOf(
  scored: ScoredTrace,
  novelty: NoveltyReport,
  elapsedMs: number,
  budgetMs: number,
): ScoreReport {
  const { profile, weights } = scored.profile;
  const dimensions = {
    complexity: sumOfTerms(scored.terms),
    novelty:
      novelty.nearest === undefined ? UNKNOWN_NOVELTY : noveltyOf(novelty.nearest.similarity),
    toolDiversity: toolDiversityOf(scored.counts),
    outcomeConfidence: scored.outcomeConfidence,
  };
  const contributions = contributionsOf(dimensions, weights);
  const composite = sumOfContributions(contributions);
  const { score, overrides } = applyRules(composite, scored.counts, scored.success);
  return {
    traceId: scored.traceId,
    score,
    profile,
    weights,
    dimensions,
    contributions,
    composite,
    overrides,
    complexity: scored.terms,
    novelty,
    elapsedMs,
    withinBudget: elapsedMs <= budgetMs && novelty.source !== 'budget_exceeded',
  };
}
