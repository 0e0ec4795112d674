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

/** The part in use of the client that `createClient` of `@arizeai/phoenix-client` returns. */
export interface PhoenixClientLike {
  /**
   * Sends a request.
   *
   * @param path - the path of the REST API.
   * @param request - the parameters, the body and a signal that aborts it.
   */
  POST(
    path: '/v1/span_annotations',
    request: {
      params: { query: { sync: boolean } };
      body: { data: PhoenixAnnotation[] };
      signal: AbortSignal;
    },
  ): Promise<{ readonly error?: unknown }>;
}

/** An annotation in the format of Phoenix's REST API. */
export interface PhoenixAnnotation {
  /** The span to annotate. */
  span_id: string;
  /** Name of the annotation. */
  name: string;
  /** `CODE`: computed by a program, neither by a person nor a model. */
  annotator_kind: 'CODE';
  /** Phoenix keeps one annotation per span, name and identifier. */
  identifier: string;
  /** The score in [0, 1], and what moved it. */
  result: { score: number; explanation: string };
  /** The derivation of the score. */
  metadata: Record<string, unknown>;
}

/** Options of {@link createPhoenixScores}. */
export interface PhoenixScoresOptions {
  /**
   * The result of `createClient()`. Default: a client created from `PHOENIX_HOST`, `PHOENIX_API_KEY` and
   * `PHOENIX_CLIENT_HEADERS`.
   */
  readonly client?: PhoenixClientLike;
  /** Name of the annotation. Default: `knowledgepulse`. */
  readonly name?: string;
}

const OPTIONS: Readonly<Record<keyof PhoenixScoresOptions, true>> = { client: true, name: true };

/**
 * Creates a target for the option `sendTo` of a live scorer. It sends scores to Phoenix spans as
 * annotations. A later score of a run replaces the earlier one.
 *
 * @param options - the client and the name of the annotation.
 * @throws `IntegrationError` `OPTION_INVALID` if the client is invalid or an option is unknown.
 * @see https://arize.com/docs/phoenix/tracing/how-to-tracing/feedback-and-annotations/capture-feedback
 */
export function createPhoenixScores(options: PhoenixScoresOptions = {}): ScoreTarget {
  assertType('options', 'an object', options);
  checkNames('options', options, OPTIONS);
  const { name = SCORE_NAME } = options;
  const { client: given } = options;
  const isUsable = typeof given?.POST === 'function';
  checkClient(
    given,
    isUsable,
    'phoenix',
    'the client that createClient of @arizeai/phoenix-client returns',
  );
  const connection = connectOnce(async () => given ?? makeClient());
  return {
    name: 'phoenix',
    async send(score, signal) {
      const { spanId } = spanOf(score, 'phoenix');
      const annotation: PhoenixAnnotation = {
        span_id: spanId,
        name,
        annotator_kind: 'CODE',
        identifier: await scoreId(name, score),
        result: { score: score.report.score, explanation: scoreComment(score) },
        metadata: scoreMetadata(score),
      };
      const { error } = await (await connection.client()).POST('/v1/span_annotations', {
        // With sync, Phoenix reports unknown spans as errors.
        params: { query: { sync: true } },
        body: { data: [annotation] },
        signal,
      });
      if (error !== undefined) throw new Error(JSON.stringify(error));
    },
  };
}

async function makeClient(): Promise<PhoenixClientLike> {
  const { createClient } = await importOptional({
    packages: '@arizeai/phoenix-client',
    neededFor: 'scores in Phoenix',
    load: () => import('@arizeai/phoenix-client'),
  });
  return createClient();
}
