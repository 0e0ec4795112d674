import { assertType, importOptional } from '@kp/foundation';
import { checkNames } from './run/check-options.ts';
import { connectOnce } from './send/connect-once.ts';
import {
  checkClient,
  SCORE_NAME,
  type ScoreTarget,
  scoreComment,
  scoreId,
  scoreMetadata,
  spanOf,
} from './send/score-target.ts';

export type { ScoreTarget, SentScore } from './send/score-target.ts';

/** A score in the format of the Langfuse API. */
export interface LangfuseScore {
  /** A later score with the same id replaces this one. */
  id: string;
  /** The Langfuse trace to which the score belongs. */
  traceId: string;
  /** Name of the score. */
  name: string;
  /** The score, in [0, 1]. */
  value: number;
  /** Type of the value. */
  dataType: 'NUMERIC';
  /** What moved the score. */
  comment: string;
  /** The derivation of the score. */
  metadata: Record<string, unknown>;
}

interface ScoresApi {
  create(score: LangfuseScore, options: { abortSignal: AbortSignal }): PromiseLike<unknown>;
}

/** The part in use of a `LangfuseClient` of `@langfuse/client` 4 or 5. */
export interface LangfuseClientLike {
  /** Client of the public API: `scores` in version 5, `score` in version 4. */
  readonly api: { readonly scores: ScoresApi } | { readonly score: ScoresApi };
}

/** Options of {@link createLangfuseScores}. */
export interface LangfuseScoresOptions {
  /**
   * A `LangfuseClient`. Default: a client created from `LANGFUSE_PUBLIC_KEY`, `LANGFUSE_SECRET_KEY` and
   * `LANGFUSE_BASE_URL`.
   */
  readonly client?: LangfuseClientLike;
  /** Name of the score. Default: `knowledgepulse`. */
  readonly name?: string;
}

const OPTIONS: Readonly<Record<keyof LangfuseScoresOptions, true>> = { client: true, name: true };

/**
 * Creates a target for the option `sendTo` of a live scorer. It sends scores to Langfuse traces through the
 * scores API. The trace is that of the run's span. A later score of a run replaces the earlier one.
 *
 * @param options - the client and the name of the score.
 * @throws `IntegrationError` `OPTION_INVALID` if the client is not one of these versions, or an option is unknown.
 * @see https://langfuse.com/docs/evaluation/evaluation-methods/scores-via-sdk
 */
export function createLangfuseScores(options: LangfuseScoresOptions = {}): ScoreTarget {
  assertType('options', 'an object', options);
  checkNames('options', options, OPTIONS);
  const { name = SCORE_NAME } = options;
  const { client: given } = options;
  const isUsable = typeof given?.api === 'object' && scoresOf(given) !== undefined;
  checkClient(given, isUsable, 'langfuse', 'a LangfuseClient of @langfuse/client 4 or 5');
  const connection = connectOnce(async () => given ?? makeClient());
  return {
    name: 'langfuse',
    async send(score, abortSignal) {
      const { traceId, spanId } = spanOf(score, 'langfuse');
      await scoresOf(await connection.client()).create(
        {
          id: await scoreId(name, score),
          traceId,
          name,
          value: score.report.score,
          dataType: 'NUMERIC',
          comment: scoreComment(score),
          metadata: { ...scoreMetadata(score), span: spanId },
        },
        { abortSignal },
      );
    },
  };
}

function scoresOf({ api }: LangfuseClientLike): ScoresApi {
  return 'scores' in api ? api.scores : api.score;
}

async function makeClient(): Promise<LangfuseClientLike> {
  const { LangfuseClient } = await importOptional({
    packages: '@langfuse/client',
    neededFor: 'scores in Langfuse',
    load: () => import('@langfuse/client'),
  });
  return new LangfuseClient();
}
