import type { ReasoningTrace } from '@kp/schema';
import { countSteps, type StepCounts } from './step-counts.ts';

export type OverrideRuleName = 'single_thought' | 'error_recovery_bonus' | 'low_tool_diversity';

/** A rule that changed, or confirmed, the score. */
export interface AppliedOverride {
  readonly rule: OverrideRuleName;
  readonly before: number;
  readonly after: number;
}

/** A score after the rules, and the rules that applied, in order. */
export interface OverriddenScore {
  readonly score: number;
  readonly overrides: readonly AppliedOverride[];
}

interface OverrideRule {
  readonly rule: OverrideRuleName;
  readonly applies: (counts: StepCounts, success: boolean) => boolean;
  readonly change: (score: number) => number;
}

/** The rules in the order in which they apply, each to the result of the one before. */
const OVERRIDE_RULES: readonly OverrideRule[] = [
  {
    rule: 'single_thought',
    applies: (counts) => counts.singleThought,
    change: () => 0.1,
  },
  {
    rule: 'error_recovery_bonus',
    applies: (counts, success) => counts.errorRecoveries > 2 && success,
    change: (score) => Math.min(1, score + 0.1),
  },
  {
    rule: 'low_tool_diversity',
    applies: (counts) => counts.uniqueTools === 1,
    change: (score) => Math.max(0, score - 0.1),
  },
];

const NO_OVERRIDES: readonly AppliedOverride[] = Object.freeze([]);

/**
 * Applies the three rules to a composite score: a single thought is worth 0.1; more than 2
 * recoveries in a run that succeeded add 0.1, up to 1; tools of a single name take 0.1 away, down
 * to 0.
 *
 * @param composite - the score so far, in [0, 1].
 * @param trace - a valid trace.
 */
export function applyOverrides(composite: number, trace: ReasoningTrace): OverriddenScore {
  return applyRules(composite, countSteps(trace.steps), trace.metadata.success);
}

export function applyRules(
  composite: number,
  counts: StepCounts,
  success: boolean,
): OverriddenScore {
  let score = composite;
  let overrides: AppliedOverride[] | undefined;
  for (const { rule, applies, change } of OVERRIDE_RULES) {
    if (!applies(counts, success)) continue;
    const before = score;
    score = change(before);
    overrides ??= [];
    overrides.push({ rule, before, after: score });
  }
  return { score, overrides: overrides ?? NO_OVERRIDES };
}
