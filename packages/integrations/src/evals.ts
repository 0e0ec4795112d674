import { messageOf } from '@kp/foundation';
import type { ReasoningTrace } from '@kp/schema';
import type { ScoreReport, Scorer } from '@kp/scoring';
import { readAiSdkSteps } from './ai-sdk/read-result.ts';
import { checkScorer } from './live/live-options.ts';
import { explainScore } from './run/explain-score.ts';
import { type FinishedRun, finishRun, type RunFacts } from './run/finished-run.ts';
import { IntegrationError } from './run/integration-error.ts';
import { asText, isObject } from './run/json-values.ts';
import { readAny } from './run/read-run.ts';

export {
  matchTrajectory,
  type TrajectoryCall,
  type TrajectoryMatch,
  type TrajectoryMatchOptions,
} from './evals/trajectory-match.ts';

/** What cases are scored by. */
export interface EvaluatorOptions {
  /**
   * Its memory is the baseline: a case is compared with what it holds, and not remembered, so that
   * cases evaluated in parallel score the same in any order.
   */
  readonly scorer: Scorer;
  /** True remembers each case; then the order of cases matters. Default false. */
  readonly remember?: boolean;
  /** `knowledgepulse` when left out. */
  readonly name?: string;
  /** What is known of a case beside its output, such as whether it succeeded. */
  readonly factsOf?: (evaluated: EvaluatedCase) => RunFacts;
}

/** One case, as Braintrust, evalite and autoevals hand it to a scorer. */
export interface EvaluatedCase {
  /** What the case was given; its objective, where the output has none. */
  readonly input?: unknown;
  /** A result of the AI SDK, messages or a run of any known format, or a `ReasoningTrace`. */
  readonly output: unknown;
  /** What the case should have given; not looked at. */
  readonly expected?: unknown;
  /** What else the framework knows; for `factsOf`. */
  readonly metadata?: unknown;
}

/** A score as Braintrust and autoevals take it. */
export interface EvaluatorScore {
  /** The scorer's. */
  readonly name: string;
  /** Null: not scored, and `metadata.reason` says why. */
  readonly score: number | null;
  /** The derivation, or the reason why there is no score. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

/**
 * A scorer for Braintrust (`Eval(…, { scores: [evaluator] })`) and for whatever takes autoevals.
 * An output that holds no run is not scored, and does not end the evaluation.
 */
export function createEvaluator(
  options: EvaluatorOptions,
): (evaluated: EvaluatedCase) => Promise<EvaluatorScore> {
  const { name = 'knowledgepulse' } = options;
  checkScorer(options.scorer);
  const evaluator = async (evaluated: EvaluatedCase): Promise<EvaluatorScore> => {
    try {
      const { report, finished } = await evaluate(evaluated, options);
      return { name, score: report.score, metadata: describe(report, finished) };
    } catch (cause) {
      const reason = messageOf(cause);
      return { name, score: null, metadata: { reason } };
    }
  };
  // Frameworks show the name of the function.
  return Object.defineProperty(evaluator, 'name', { value: name });
}

/** A scorer for evalite: `scorers: [createEvaliteScorer({ scorer })]`. */
export function createEvaliteScorer(options: EvaluatorOptions): {
  readonly name: string;
  readonly description: string;
  scorer(evaluated: EvaluatedCase): Promise<{ score: number; metadata: unknown }>;
} {
  const evaluator = createEvaluator(options);
  return {
    name: options.name ?? 'knowledgepulse',
    description: 'What the run is worth: complexity, novelty, tool diversity, outcome confidence.',
    async scorer(evaluated) {
      const { score, metadata } = await evaluator(evaluated);
      // evalite knows no 'not scored': it would take null for 0 without a word.
      if (score === null) throw notScored(metadata.reason);
      return { score, metadata };
    },
  };
}

/** An evaluator for LangSmith: `evaluate(target, { data, evaluators: [createLangSmithEvaluator({ scorer })] })`. */
export function createLangSmithEvaluator(
  options: EvaluatorOptions,
): (run: {
  readonly inputs?: unknown;
  readonly outputs?: unknown;
  readonly referenceOutputs?: unknown;
}) => Promise<{ key: string; score: number | null; comment: string }> {
  const evaluator = createEvaluator(options);
  return async ({ inputs, outputs, referenceOutputs }) => {
    const output = isObject(outputs) && 'output' in outputs ? outputs.output : outputs;
    const { name, score, metadata } = await evaluator({
      input: inputs,
      output,
      expected: referenceOutputs,
    });
    return { key: name, score, comment: asText(metadata.explanation ?? metadata.reason) };
  };
}

async function evaluate(
  evaluated: EvaluatedCase,
  options: EvaluatorOptions,
): Promise<{ report: ScoreReport; finished: FinishedRun | undefined }> {
  const { scorer, remember = false } = options;
  const { output } = evaluated;
  const score = (trace: ReasoningTrace): Promise<ScoreReport> =>
    remember ? scorer.evaluate(trace) : scorer.score(trace);
  if (isObject(output) && output['@type'] === 'ReasoningTrace') {
    return { report: await score(output as unknown as ReasoningTrace), finished: undefined };
  }
  const facts = { objective: objectiveOf(evaluated.input), ...options.factsOf?.(evaluated) };
  const read = isAiSdkResult(output)
    ? readAiSdkSteps(output, output.steps, facts)
    : readAny(output);
  const finished = await finishRun(read, facts);
  return { report: await score(finished.trace), finished };
}

function isAiSdkResult(output: unknown): output is { readonly steps: unknown[] } {
  return isObject(output) && Array.isArray(output.steps) && !('task' in output);
}

function objectiveOf(input: unknown): string | undefined {
  if (typeof input === 'string') return input;
  const text = isObject(input) ? (input.prompt ?? input.question ?? input.input) : undefined;
  return typeof text === 'string' ? text : undefined;
}

function describe(
  report: ScoreReport,
  finished: FinishedRun | undefined,
): EvaluatorScore['metadata'] {
  return {
    explanation: explainScore(report),
    profile: report.profile,
    dimensions: report.dimensions,
    rules: report.overrides.map(({ rule }) => rule),
    novelty: report.novelty,
    success: finished?.provenance.success ?? 'given',
  };
}

function notScored(reason: unknown): IntegrationError {
  return new IntegrationError('OBJECT_UNKNOWN', {
    subject: 'output',
    expected: 'a run of a known format',
    received: asText(reason),
    remedy: 'Return the run, or its messages, from the task.',
  });
}
