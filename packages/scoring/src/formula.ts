import { describeValue } from '@kp/foundation';
import {
  createIssue,
  parseTrace,
  type ReasoningTrace,
  type TraceIssue,
  type TraceLimits,
  TraceValidationError,
} from '@kp/schema';
import {
  type ComplexityTerms,
  complexityOf,
  type DimensionScores,
  noveltyOf,
  outcomeConfidenceOf,
  readFacts,
  type TraceFacts,
  toolDiversityOf,
  UNKNOWN_NOVELTY,
} from './dimensions.ts';
import { type EmbeddedText, embeddedText } from './embed-trace.ts';
import { FormulaError, messageOf } from './errors.ts';
import { profileFor, type ResolvedProfile, type ScoringWeights } from './profiles.ts';
import { changeByRules, rulesFor, type ScoringRule } from './rules.ts';
import type { Formula, NoveltyReport, ScoreReport } from './score-report.ts';

/** A value of a trace, in [0, 1], that a profile may weigh. */
export type OwnDimension = (trace: ReasoningTrace, facts: TraceFacts) => number;

/** Everything by which a scorer turns a trace and its novelty into a score. */
export interface ScoringFormula {
  readonly identity: Formula;
  readonly profiles: ReadonlyMap<string, ScoringWeights>;
  readonly ownDimensions: readonly (readonly [name: string, value: OwnDimension])[];
  readonly rules: readonly ScoringRule[];
  readonly lengthCreditCap: number;
  readonly limits: TraceLimits | undefined;
}

/**
 * All of a trace that its score needs, read at the moment of the call: what the caller does to the
 * trace afterwards changes nothing.
 */
export interface ReadTrace {
  readonly id: string;
  readonly text: EmbeddedText | undefined;
  readonly profile: ResolvedProfile;
  readonly facts: TraceFacts;
  readonly complexity: { readonly value: number; readonly terms: ComplexityTerms };
  readonly own: readonly number[];
  readonly rules: readonly ScoringRule[];
}

/**
 * Checks a trace and reads it.
 *
 * @throws `TraceValidationError` when it is not valid; {@link FormulaError} when a dimension or
 * rule of the user's own fails.
 */
export function readTrace(
  input: ReasoningTrace,
  formula: ScoringFormula,
  withText: boolean,
): ReadTrace {
  // Each once, and before it is checked: a getter may answer something else every time.
  const { id, metadata, task, steps, outcome } = Object(input) as ReasoningTrace;
  const domain = metadata?.task_domain;
  const success = metadata?.success;
  const objective = task?.objective;
  const confidence = outcome?.confidence;
  const trace = parseTrace(input, formula.limits && { limits: formula.limits });
  const isWhatWasChecked =
    typeof id === 'string' &&
    id.startsWith('kp:trace:') &&
    typeof domain === 'string' &&
    typeof success === 'boolean' &&
    typeof objective === 'string' &&
    Array.isArray(steps) &&
    typeof confidence === 'number' &&
    confidence >= 0 &&
    confidence <= 1;
  if (!isWhatWasChecked) throw new TraceValidationError([UNSTEADY]);
  const facts = readFacts(steps, success, confidence);
  if (facts.stepTypes === 0) throw new TraceValidationError([UNSTEADY]);
  return {
    id,
    text: withText ? embeddedText(objective, steps) : undefined,
    profile: profileFor(domain, formula.profiles),
    facts,
    complexity: complexityOf(facts, formula.lengthCreditCap),
    own: ownValues(formula, trace, facts),
    rules: rulesFor(trace, facts, formula.rules),
  };
}

/** The report on a trace, once its novelty is known. */
export function reportOf(
  { id, profile: { profile, weights }, facts, complexity, own, rules }: ReadTrace,
  novelty: NoveltyReport,
  formula: ScoringFormula,
  elapsedMs: number,
  budgetMs: number,
): ScoreReport {
  const { nearest, source } = novelty;
  const dimensions: DimensionScores & Record<string, number> = {
    complexity: complexity.value,
    novelty: nearest === undefined ? UNKNOWN_NOVELTY : noveltyOf(nearest.similarity),
    toolDiversity: toolDiversityOf(facts),
    outcomeConfidence: outcomeConfidenceOf(facts.confidence, facts.success),
  };
  const { identity } = formula;
  const ownNames = identity.own.dimensions;
  const contributions: DimensionScores & Record<string, number> = {
    complexity: dimensions.complexity * weights.complexity,
    novelty: dimensions.novelty * weights.novelty,
    toolDiversity: dimensions.toolDiversity * weights.toolDiversity,
    outcomeConfidence: dimensions.outcomeConfidence * weights.outcomeConfidence,
  };
  for (const [index, name] of ownNames.entries()) {
    dimensions[name] = own[index] as number;
    contributions[name] = dimensions[name] * (weights[name] ?? 0);
  }
  const composite = compositeScore(dimensions, weights, ownNames);
  const { score, overrides } = changeByRules(composite, rules, facts);
  return {
    traceId: id,
    score,
    formula: identity,
    profile,
    weights,
    dimensions,
    contributions,
    composite,
    overrides,
    complexity: complexity.terms,
    novelty,
    elapsedMs,
    withinBudget: elapsedMs <= budgetMs && source !== 'budget_exceeded',
  };
}

/**
 * The weighted sum of the dimensions, `C·wC + N·wN + D·wD + O·wO`, and of those of the user's own.
 *
 * @param dimensions - each in [0, 1].
 * @param weights - they sum to 1.
 * @param ownDimensions - their names: `report.formula.own.dimensions`.
 * @returns a value in [0, 1]; what rounding adds above 1 is cut off.
 */
export function compositeScore(
  dimensions: DimensionScores & Readonly<Record<string, number>>,
  weights: ScoringWeights,
  ownDimensions: readonly string[] = NO_NAMES,
): number {
  let sum =
    dimensions.complexity * weights.complexity +
    dimensions.novelty * weights.novelty +
    dimensions.toolDiversity * weights.toolDiversity +
    dimensions.outcomeConfidence * weights.outcomeConfidence;
  for (const name of ownDimensions) sum += (dimensions[name] ?? 0) * (weights[name] ?? 0);
  return Math.min(1, sum);
}

const NO_NAMES: readonly string[] = [];
const UNSTEADY: TraceIssue = /* @__PURE__ */ createIssue(
  [],
  'fields that stay the same while they are read',
  'one that changes',
);
const NO_VALUES: readonly number[] = [];

function ownValues(
  { ownDimensions }: ScoringFormula,
  trace: ReasoningTrace,
  facts: TraceFacts,
): readonly number[] {
  if (ownDimensions.length === 0) return NO_VALUES;
  return ownDimensions.map(([name, dimension]) => {
    const part = `dimension "${name}"`;
    let value: number;
    try {
      value = dimension(trace, facts);
    } catch (cause) {
      throw new FormulaError(part, 'a number from 0 to 1', messageOf(cause), cause);
    }
    if (typeof value === 'number' && value >= 0 && value <= 1) return value;
    throw new FormulaError(part, 'a number from 0 to 1', describeValue(value));
  });
}
