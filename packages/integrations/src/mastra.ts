import { assertType, DependencyError, describeValue } from '@kp/foundation';
import type { Scorer } from '@kp/scoring';
import { createLiveScorer, type LiveScorer, type LiveScorerOptions } from './live/live-scorer.ts';
import { createRunTracker } from './live/run-tracker.ts';
import { createMastraLiveRun, type MastraLiveRun } from './mastra/live-run.ts';
import { type MastraRun, readMastra } from './mastra/read-messages.ts';
import { explainScore } from './run/explain-score.ts';
import { type FinishedRun, finishRun, type RunFacts } from './run/finished-run.ts';
import { isObject } from './run/json-values.ts';
import { withDetails } from './run/run-details.ts';

export type { MastraRun } from './mastra/read-messages.ts';

/**
 * Converts a Mastra run (`@mastra/core` 1) to a trace: the result of `generate` or `stream`, its
 * `scoringData`, or messages from a memory. From a result, only the last turn is read.
 *
 * @param run - the result, its `scoringData`, or the messages.
 * @param facts - facts that the run does not contain.
 * @throws `IntegrationError` `OBJECT_UNKNOWN` if it contains no Mastra messages.
 */
export async function fromMastra(run: unknown, facts: RunFacts = {}): Promise<FinishedRun> {
  return finishRun(readMastra(await run), facts);
}

/** Callbacks of one call of `generate` or `stream`. */
export interface MastraCallbacks {
  /** Records a step when it ends. */
  readonly onStepFinish: (step: never) => Promise<void>;
  /** Scores the run when it ends. */
  readonly onFinish: (event: never) => Promise<void>;
  /** Scores the run when it fails. */
  readonly onError: (event: never) => Promise<void>;
  /** Scores the run when its caller aborts it. */
  readonly onAbort: (event: never) => Promise<void>;
}

/** A live scorer for Mastra agents. */
export interface MastraLiveScorer extends LiveScorer {
  /**
   * Returns options that score one call, even if it fails:
   * `agent.generate(prompt, live.forRun({ prompt }, options))`. Callbacks in `options` are still called.
   *
   * @param facts - facts about the call.
   * @param options - the caller's own options for the call.
   */
  forRun<Options extends object>(
    facts?: RunFacts & { readonly prompt?: string },
    options?: Options,
  ): Options & MastraCallbacks;
}

/**
 * Creates a scorer for agent calls that complete, fail or are aborted. Mastra's own scorers, such as that
 * of {@link createMastraScorer}, do not see failed calls.
 */
export function createMastraLiveScorer(options: LiveScorerOptions): MastraLiveScorer {
  const live = createLiveScorer(options);
  let calls = 0;
  const runs = createRunTracker<{
    run: MastraLiveRun;
    facts: RunFacts & { readonly prompt?: string };
  }>(live, ({ run, facts }, ending, duration_ms) => {
    live.add(() => withDetails(run.read(facts.prompt, ending), { duration_ms }), facts);
  });

  function forRun<Options extends object>(
    facts: RunFacts & { readonly prompt?: string } = {},
    given: Options = {} as Options,
  ): Options & MastraCallbacks {
    const key = `mastra-${calls++}`;
    const run = createMastraLiveRun();
    runs.start(key, { run, facts });
    const composed = (name: keyof MastraCallbacks, note: (event: unknown) => void) => {
      const observe = live.guard((event: unknown) => {
        if (runs.get(key) !== undefined) note(event);
      });
      const own: unknown = Reflect.get(given, name);
      return async (event: unknown): Promise<void> => {
        observe(event);
        if (typeof own === 'function') await own(event);
      };
    };
    const end = (note: (event: unknown) => void) => (event: unknown) => {
      note(event);
      runs.end(key);
    };
    return {
      ...given,
      onStepFinish: composed('onStepFinish', run.stepFinished),
      onFinish: composed('onFinish', end(run.finished)),
      onError: composed(
        'onError',
        end((event) => run.failed(isObject(event) ? event.error : event)),
      ),
      onAbort: composed('onAbort', end(run.aborted)),
    };
  }

  return Object.assign(live, { forRun, flush: runs.flush });
}

/** Options of {@link createMastraScorer}. */
export interface MastraScorerOptions {
  /** Scores the runs. */
  readonly scorer: Scorer;
  /** Whether to remember each run. If false, the memory does not change. Default: true. */
  readonly remember?: boolean;
  /** Returns additional facts about a run. */
  readonly factsOf?: (run: MastraRun) => RunFacts | Promise<RunFacts>;
}

interface Judgement {
  readonly score: number;
  readonly reason: string;
}

/** The part of Mastra's scorer steps that is used. */
interface MastraSteps {
  preprocess(step: (context: { run: MastraRun }) => Promise<Judgement>): MastraSteps;
  generateScore(step: (context: { results: Results }) => number): MastraSteps;
  generateReason(step: (context: { results: Results }) => string): MastraSteps;
}

interface Results {
  readonly preprocessStepResult: Judgement;
}

/** Configuration passed to Mastra's `createScorer`. */
export interface MastraScorerConfig {
  /** Id under which Mastra stores the scores. */
  readonly id: 'knowledgepulse';
  /** Display name in Mastra. */
  readonly name: string;
  /** A sentence that describes the score. */
  readonly description: string;
  /** Type of the scored runs. */
  readonly type: 'agent';
}

/**
 * Creates a scorer for Mastra agents with Mastra's own function, so it matches the installed version:
 * `createMastraScorer(createScorer, { scorer })`, with `createScorer` from `@mastra/core/evals`.
 *
 * @param createScorer - Mastra's function from `@mastra/core/evals`.
 */
export function createMastraScorer<Made extends object>(
  createScorer: (config: MastraScorerConfig) => Made,
  options: MastraScorerOptions,
): Made {
  assertType('createScorer', 'a function', createScorer);
  assertType('options', 'an object', options);
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
      const { trace } = await fromMastra(run, await factsOf?.(run));
      const report = remember ? await scorer.evaluate(trace) : await scorer.score(trace);
      return { score: report.score, reason: explainScore(report) };
    })
    .generateScore(({ results }) => results.preprocessStepResult.score)
    .generateReason(({ results }) => results.preprocessStepResult.reason) as Made & MastraSteps;
}
