import { describeValue, sha256 } from '@kp/foundation';
import type { Provenance } from '@kp/schema';
import type { ScoreReport } from '@kp/scoring';
import { explainScore } from '../run/explain-score.ts';
import type { SpanReference } from '../run/finished-run.ts';
import { IntegrationError } from '../run/integration-error.ts';

/** A score on its way to a tool for observability; nothing of the run's content. */
export interface SentScore {
  /** As in the score of the run. */
  readonly runId: string;
  /** Id of the scored trace. */
  readonly traceId: string;
  /** Where the run is in the tool, if known. */
  readonly span: SpanReference | undefined;
  /** The score with its derivation. */
  readonly report: ScoreReport;
  /** Where the fields of the trace come from. */
  readonly provenance: Provenance;
}

/** Where scores are sent: the option `sendTo` of a live scorer. */
export interface ScoreTarget {
  /** For messages: `langfuse`. */
  readonly name: string;
  /**
   * Sends one score. A later score of the same run replaces it.
   *
   * @param score - what to send.
   * @param signal - aborted when the time for it is up.
   */
  send(score: SentScore, signal: AbortSignal): Promise<void>;
}

/** The name of our scores where nothing else is given. */
export const SCORE_NAME = 'knowledgepulse';

/** The same for each score of one run, so that a later one replaces an earlier one. */
export function scoreKey({ span, traceId }: SentScore): string {
  return [span?.traceId, span?.spanId, traceId].join('/');
}

/** {@link scoreKey} with the name of the score, in 32 hexadecimal digits. */
export async function scoreId(name: string, score: SentScore): Promise<string> {
  return (await sha256(`${name}/${scoreKey(score)}`)).slice(0, 32);
}

/** What is said beside the number: the derivation, in plain JSON. */
export function scoreMetadata({
  runId,
  traceId,
  report,
  provenance,
}: SentScore): Record<string, unknown> {
  const { profile, dimensions, overrides, novelty } = report;
  const { success, ending, verdict, grade } = provenance;
  const known = Object.entries({ ending, verdict, grade }).filter(
    ([, value]) => value !== undefined,
  );
  return {
    run: runId,
    trace: traceId,
    profile,
    dimensions,
    rules: overrides.map(({ rule }) => rule),
    novelty: novelty.source,
    success,
    ...Object.fromEntries(known),
  };
}

/** The score in one sentence of figures. */
export function scoreComment({ report }: SentScore): string {
  return explainScore(report);
}

/** @throws {@link IntegrationError} `OPTION_INVALID` if the run has no span in the tool. */
export function spanOf({ span }: SentScore, target: string): SpanReference {
  if (span !== undefined) return span;
  throw new IntegrationError('OPTION_INVALID', {
    subject: `score for ${target}`,
    expected: 'a run whose span is known',
    received: 'a run without one',
    remedy: 'give the facts of the run its span: { span: { traceId, spanId } }',
  });
}

/** @throws {@link IntegrationError} `OPTION_INVALID` when an option is not usable. */
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
    remedy: 'pass an instance of the official client, or leave it out to make one',
  });
}
