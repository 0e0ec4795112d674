import { describeValue, sha256, withoutUndefined } from '@kp/foundation';
import type { Provenance } from '@kp/schema';
import type { ScoreReport } from '@kp/scoring';
import { explainScore } from '../run/explain-score.ts';
import type { SpanReference } from '../run/finished-run.ts';
import { IntegrationError } from '../run/integration-error.ts';

/** A score for an observability tool, without any content of the run. */
export interface SentScore {
  /** The `runId` of the score. */
  readonly runId: string;
  /** Id of the scored trace. */
  readonly traceId: string;
  /** The span of the run in the tool, if known. */
  readonly span: SpanReference | undefined;
  /** The score with its derivation. */
  readonly report: ScoreReport;
  /** Sources of the trace's fields. */
  readonly provenance: Provenance;
}

/** A target for scores: the option `sendTo` of a live scorer. */
export interface ScoreTarget {
  /** Name in messages, such as `langfuse`. */
  readonly name: string;
  /**
   * Sends one score. A later score of the same run replaces it.
   *
   * @param score - the score to send.
   * @param signal - aborted on timeout.
   */
  send(score: SentScore, signal: AbortSignal): Promise<void>;
}

/** Default name of the scores. */
export const SCORE_NAME = 'knowledgepulse';

/** Returns a key that is equal for all scores of a run, so a later score replaces an earlier one. */
export function scoreKey({ span, traceId }: SentScore): string {
  return [span?.traceId, span?.spanId, traceId].join('/');
}

/** Hashes {@link scoreKey} and the name of the score to 32 hexadecimal digits. */
export async function scoreId(name: string, score: SentScore): Promise<string> {
  return (await sha256(`${name}/${scoreKey(score)}`)).slice(0, 32);
}

/** Returns the derivation of the score as plain JSON. */
export function scoreMetadata({
  runId,
  traceId,
  report,
  provenance,
}: SentScore): Record<string, unknown> {
  const { profile, dimensions, overrides, novelty } = report;
  const { success, ending, verdict, grade } = provenance;
  return {
    run: runId,
    trace: traceId,
    profile,
    dimensions,
    rules: overrides.map(({ rule }) => rule),
    novelty: novelty.source,
    success,
    ...withoutUndefined({ ending, verdict, grade }),
  };
}

/** Explains the score in one sentence with its figures. */
export function scoreComment({ report }: SentScore): string {
  return explainScore(report);
}

/** @throws {@link IntegrationError} `OPTION_INVALID` if the run has no span in the tool. */
export function spanOf({ span }: SentScore, target: string): SpanReference {
  if (span !== undefined) return span;
  throw new IntegrationError('OPTION_INVALID', {
    subject: `score for ${target}`,
    expected: 'a run whose span is known',
    received: 'a run without a span',
    remedy: 'give the facts of the run its span: { span: { traceId, spanId } }',
  });
}

/** @throws {@link IntegrationError} `OPTION_INVALID` if an option is invalid. */
export function checkClient(
  client: unknown,
  isUsable: boolean,
  target: string,
  expected: string,
): void {
  if (client === undefined || isUsable) return;
  throw new IntegrationError('OPTION_INVALID', {
    subject: `client of ${target}`,
    expected,
    received: describeValue(client),
    remedy: 'pass an instance of the official client, or omit it to create one',
  });
}
