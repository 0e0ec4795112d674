import type { ReasoningTrace } from '@kp/schema';
import { factsOf, type TraceFacts } from './facts.ts';

/** What a rule does to a score: sets it, or adds to it and cuts the result to [0, 1]. */
export type RuleEffect = { readonly set: number } | { readonly add: number };

/** A rule that is plain data: whether it applies depends on the facts alone. */
export interface FactRule {
  /** Its name in reports. */
  readonly name: string;
  /** When it applies, in a few words for people. */
  readonly label: string;
  readonly applies: (facts: TraceFacts) => boolean;
  readonly effect: RuleEffect;
}

/** The name of a built-in rule. */
export type OverrideRuleName = 'single_thought' | 'error_recovery_bonus' | 'low_tool_diversity';

/**
 * The built-in rules, in the order in which they apply, each on the result of the one before. To
 * add one, add an entry and its name above.
 */
export const BUILT_IN_RULES: readonly (FactRule & { readonly name: OverrideRuleName })[] =
  /* @__PURE__ */ frozen([
    {
      name: 'single_thought',
      label: 'a single thought',
      applies: (facts) => facts.singleThought,
      effect: { set: 0.1 },
    },
    {
      name: 'error_recovery_bonus',
      label: 'recovered more than twice',
      applies: (facts) => facts.errorRecoveries > 2 && facts.success,
      effect: { add: 0.1 },
    },
    {
      name: 'low_tool_diversity',
      label: 'one tool only',
      applies: (facts) => facts.uniqueTools === 1,
      effect: { add: -0.1 },
    },
  ]);

/** A rule of a formula: a built-in one or one of the user's. */
export interface Rule {
  /** Its name in reports. */
  readonly name: string;
  /** When it applies, in a few words for people. */
  readonly label: string;
  readonly applies: (facts: TraceFacts, trace: ReasoningTrace) => boolean;
  /** A function for a rule of the user's with `change`. */
  readonly effect: RuleEffect | ((score: number, facts: TraceFacts) => number);
}

/** What is needed to replay a rule that is known to apply. */
export type ApplyingRule = Omit<Rule, 'applies'>;

/** A rule that applied. */
export interface AppliedOverride {
  /** One of {@link OverrideRuleName}, or the name of one of the user's rules. */
  readonly rule: string;
  /** When it applies, in a few words for people. */
  readonly label: string;
  /** What it did; absent if a function of the user's computed it. */
  readonly effect?: RuleEffect;
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

/**
 * Applies the built-in rules to a composite score: a single thought scores 0.1; more than 2
 * recoveries in a run that succeeded add 0.1, up to 1; tools of a single name subtract 0.1, down to
 * 0.
 *
 * @param composite - the score before the rules, in [0, 1].
 * @param trace - a valid trace.
 */
export function applyOverrides(composite: number, trace: ReasoningTrace): OverriddenScore {
  const facts = factsOf(trace);
  return applyRules(composite, rulesFor(BUILT_IN_RULES, facts, trace), facts);
}

const NONE: readonly never[] = Object.freeze([]);

/** The rules that apply to a trace. */
export function rulesFor(
  rules: readonly Rule[],
  facts: TraceFacts,
  trace: ReasoningTrace,
): readonly Rule[] {
  let applying: Rule[] | undefined;
  for (const rule of rules) {
    if (!rule.applies(facts, trace)) continue;
    if (applying === undefined) applying = [rule];
    else applying.push(rule);
  }
  return applying ?? NONE;
}

/** Changes a score by rules that apply, each on the result of the one before. */
export function applyRules(
  composite: number,
  applying: readonly ApplyingRule[],
  facts: TraceFacts,
): OverriddenScore {
  if (applying.length === 0) return { score: composite, overrides: NONE };
  const overrides: AppliedOverride[] = [];
  let score = composite;
  for (const { name, label, effect } of applying) {
    const before = score;
    if (typeof effect === 'function') {
      score = effect(before, facts);
      overrides.push({ rule: name, label, before, after: score });
    } else {
      score = 'set' in effect ? effect.set : Math.min(1, Math.max(0, before + effect.add));
      overrides.push({ rule: name, label, effect, before, after: score });
    }
  }
  return { score, overrides };
}

/**
 * Freezes the rules, because reports share their effects. Not the list: iterating over a frozen
 * array takes twice as long (measured with Bun).
 */
function frozen<T extends FactRule>(rules: readonly T[]): readonly T[] {
  for (const rule of rules) Object.freeze(Object.freeze(rule).effect);
  return rules;
}
