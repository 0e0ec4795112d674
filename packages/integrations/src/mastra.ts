import { DependencyError, describeValue } from '@kp/foundation';
import type { Scorer } from '@kp/scoring';
import { explainScore } from './run/explain-score.ts';
import { type FinishedRun, finishRun, type RunFacts } from './run/finished-run.ts';
import { isObject } from './run/json-values.ts';
import { readAs } from './run/read-run.ts';

/**
 * The trace of messages of Mastra (`@mastra/core` 1): what a memory keeps, or the input and output
 * that its scorers are given.
 *
 * @param messages - what a memory keeps, or `{ input, output }` of a scorer.
 * @param facts - what the messages do not hold.
 * @throws `IntegrationError` `OBJECT_UNKNOWN` when they are no such messages.
 */
export async function fromMastra(messages: unknown, facts: RunFacts = {}): Promise<FinishedRun> {
  return finishRun(readAs('mastra', 'Mastra messages', messages), facts);
}

/** What Mastra's runs are scored by. */
export interface MastraScorerOptions {
  /** Scores the runs. */
  readonly scorer: Scorer;
  /** True remembers each run; false compares with a memory that stays as it is. Default true. */
  readonly remember?: boolean;
  /** What is known of a run beside its messages. */
  readonly factsOf?: (run: MastraRun) => RunFacts;
}

/** What Mastra hands to a scorer of an agent. */
export interface MastraRun {
  /** What the agent was given. */
  readonly input?: unknown;
  /** What it gave. */
  readonly output: unknown;
}

interface Judgement {
  readonly score: number;
  readonly reason: string;
}

/** The steps of Mastra's scorers, as far as they are used. */
interface MastraSteps {
  preprocess(step: (context: { run: MastraRun }) => Promise<Judgement>): MastraSteps;
  generateScore(step: (context: { results: Results }) => number): MastraSteps;
  generateReason(step: (context: { results: Results }) => string): MastraSteps;
}

interface Results {
  readonly preprocessStepResult: Judgement;
}

/** What Mastra's own function is given. */
export interface MastraScorerConfig {
  /** What Mastra stores scores under. */
  readonly id: 'knowledgepulse';
  /** What Mastra shows. */
  readonly name: string;
  /** What it measures, in a sentence. */
  readonly description: string;
  /** What it scores. */
  readonly type: 'agent';
}

/**
 * A scorer for Mastra's agents, made by Mastra's own function, so that it is of the version in use:
 * `createMastraScorer(createScorer, { scorer })`, with `createScorer` of `@mastra/core/evals`.
 *
 * @param createScorer - Mastra's own, of `@mastra/core/evals`.
 */
export function createMastraScorer<Made extends object>(
  createScorer: (config: MastraScorerConfig) => Made,
  options: MastraScorerOptions,
): Made {
  const { scorer, remember = true, factsOf } = options;
  const made = createScorer({
    id: 'knowledgepulse',
    name: 'KnowledgePulse',
    description: 'What the run is worth: complexity, novelty, tool diversity, outcome confidence.',
    type: 'agent',
  }) as Made & MastraSteps;
  if (typeof made?.preprocess !== 'function') {
    throw new DependencyError('DEPENDENCY_BROKEN', {
      subject: 'createScorer',
      expected: 'createScorer of @mastra/core/evals, version 1',
      received: `a function that returns ${describeValue(made)}`,
      remedy: 'run npm install @mastra/core@1, and import createScorer from @mastra/core/evals',
    });
  }
  return made
    .preprocess(async ({ run }) => {
      const { trace } = await fromMastra(messagesOf(run), factsOf?.(run));
      const report = remember ? await scorer.evaluate(trace) : await scorer.score(trace);
      return { score: report.score, reason: explainScore(report) };
    })
    .generateScore(({ results }) => results.preprocessStepResult.score)
    .generateReason(({ results }) => results.preprocessStepResult.reason) as Made & MastraSteps;
}

function messagesOf({ input, output }: MastraRun): unknown[] {
  const asked: unknown = isObject(input) ? input.inputMessages : input;
  return [asked, output].flatMap((messages) => (Array.isArray(messages) ? messages : []));
}
