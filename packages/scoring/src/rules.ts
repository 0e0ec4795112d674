import { describeValue } from '@kp/foundation';
import type { ReasoningTrace } from '@kp/schema';
import { factsOf, type TraceFacts } from './dimensions.ts';
import { FormulaError, messageOf } from './errors.ts';

/** The rules of the formula itself. */
export type OverrideRuleName = 'single_thought' | 'error_recovery_bonus' | 'low_tool_diversity';

/** A rule that changes the score of traces of some kind. */
export interface ScoringRule {
  /** What the report calls it. */
  readonly name: string;
  /** Asked when the trace is given to the scorer. */
  readonly applies: (trace: ReasoningTrace, facts: TraceFacts) => boolean;
  /** The new score, in [0, 1], from the one before. */
  readonly change: (score: number, facts: TraceFacts) => number;
}

/** A rule that changed, or confirmed, the score. */
export interface AppliedOverride {
  /** One of {@link OverrideRuleName}, or the name of a rule of the user's own. */
  readonly rule: string;
  /** The score before it, in [0, 1]. */
  readonly before: number;
  /** The score after it, in [0, 1]. */
  readonly after: number;
}

/** A score after the rules, and the rules that applied, in order. */
export interface OverriddenScore {
  /** In [0, 1]. */
  readonly score: number;
  /** The rules that applied, in order. */
  readonly overrides: readonly AppliedOverride[];
}

/** The rules in the order in which they apply, each to the result of the one before. */
export const BUILT_IN_RULES: readonly (ScoringRule & { readonly name: OverrideRuleName })[] = [
  {
    name: 'single_thought',
    applies: (_, facts) => facts.singleThought,
    change: () => 0.1,
  },
  {
    name: 'error_recovery_bonus',
    applies: (_, facts) => facts.errorRecoveries > 2 && facts.success,
    change: (score) => Math.min(1, score + 0.1),
  },
  {
    name: 'low_tool_diversity',
    applies: (_, facts) => facts.uniqueTools === 1,
    change: (score) => Math.max(0, score - 0.1),
  },
];

/**
 * Applies the three rules of the formula to a composite score: a single thought is worth 0.1; more
 * than 2 recoveries in a run that succeeded add 0.1, up to 1; tools of a single name take 0.1 away,
 * down to 0.
 *
 * @param composite - the score so far, in [0, 1].
 * @param trace - a valid trace.
 */
export function applyOverrides(composite: number, trace: ReasoningTrace): OverriddenScore {
  const facts = factsOf(trace);
  return changeByRules(composite, rulesFor(trace, facts, BUILT_IN_RULES), facts);
}

const NO_RULES: readonly ScoringRule[] = [];
const NO_OVERRIDES: readonly AppliedOverride[] = Object.freeze([]);

/** Those of the rules that apply to a trace. */
export function rulesFor(
  trace: ReasoningTrace,
  facts: TraceFacts,
  rules: readonly ScoringRule[],
): readonly ScoringRule[] {
  let applying: ScoringRule[] | undefined;
  for (let index = 0; index < rules.length; index++) {
    const rule = rules[index] as ScoringRule;
    if (!rule.applies(trace, facts)) continue;
    if (applying === undefined) applying = [rule];
    else applying.push(rule);
  }
  return applying ?? NO_RULES;
}

/** Changes a score by rules that apply, each the result of the one before. */
export function changeByRules(
  composite: number,
  applying: readonly ScoringRule[],
  facts: TraceFacts,
): OverriddenScore {
  if (applying.length === 0) return { score: composite, overrides: NO_OVERRIDES };
  const overrides: AppliedOverride[] = [];
  let score = composite;
  for (let index = 0; index < applying.length; index++) {
    const { name, change } = applying[index] as ScoringRule;
    const before = score;
    score = change(before, facts);
    overrides.push({ rule: name, before, after: score });
  }
  return { score, overrides };
}

/**
 * A rule of the user's own, whose failures name it.
 *
 * @returns a rule that throws {@link FormulaError} when the user's throws, or when its new score
 * is not a number from 0 to 1.
 */
export function ownRule(rule: ScoringRule): ScoringRule {
  const { name } = rule;
  const part = `rule "${name}"`;
  const ask = <T>(question: () => T): T => {
    try {
      return question();
    } catch (cause) {
      throw new FormulaError(part, 'an answer', messageOf(cause), cause);
    }
  };
  return {
    name,
    applies: (trace, facts) => ask(() => rule.applies(trace, facts)),
    change(before, facts) {
      const score: unknown = ask(() => rule.change(before, facts));
      if (typeof score === 'number' && score >= 0 && score <= 1) return score;
      throw new FormulaError(part, 'a score from 0 to 1', describeValue(score));
    },
  };
}
