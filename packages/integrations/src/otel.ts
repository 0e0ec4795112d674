import { importOptional } from '@kp/foundation';
import { type AgentSpans, collectAgentSpans, type FinishedSpan } from './agent-spans.ts';
import {
  createLiveScorer,
  type LiveScore,
  type LiveScorer,
  type LiveScorerOptions,
} from './live/live-scorer.ts';
import { otlpOf } from './otlp-spans.ts';
import { explainScore } from './run/explain-score.ts';
import type { RunFacts } from './run/finished-run.ts';
import { IntegrationError } from './run/integration-error.ts';
import { readAs } from './run/read-run.ts';

/** Options of {@link createScoringSpanProcessor}. */
export interface ScoringSpanProcessorOptions extends LiveScorerOptions {
  /** What is known of a run beside its spans, by the attributes of its agent span. */
  readonly factsOf?: (attributes: Readonly<Record<string, unknown>>) => RunFacts;
  /**
   * Sends an event `gen_ai.evaluation.result` for each score to the logs of OpenTelemetry, in the
   * context of the agent's span; default true, where `@opentelemetry/api-logs` is installed.
   */
  readonly emit?: boolean;
  /** The label of a score, such as `keep` or `redundant`; none when left out. */
  readonly labelOf?: (score: LiveScore) => string | undefined;
}

/** A `SpanProcessor` of OpenTelemetry JS, as far as it is asked. */
export interface ScoringSpanProcessor extends Pick<LiveScorer, 'pending'> {
  /**
   * Notes a span that begins.
   *
   * @param span - of OpenTelemetry.
   * @param context - the one that the span begins in.
   */
  onStart(span: unknown, context?: unknown): void;
  /**
   * Takes a span that has ended.
   *
   * @param span - of OpenTelemetry.
   */
  onEnd(span: unknown): void;
  /** Waits for what is under way. */
  forceFlush(): Promise<void>;
  /** Waits for what is under way, and takes no more. */
  shutdown(): Promise<void>;
}

/**
 * Scores the runs in GenAI and OpenInference spans: one run an agent span when it ends, or, of a
 * trace without agent spans, one run when its outermost span of this process ends. Other spans are
 * let go at once. What the event says of a run are figures, never its content.
 *
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-events/
 */
export function createScoringSpanProcessor(
  options: ScoringSpanProcessorOptions,
): ScoringSpanProcessor {
  const { emit = true, factsOf, labelOf } = options;
  const live = createLiveScorer(options);
  const sendEvent = emit ? createEventSender() : undefined;
  const collector = collectAgentSpans(({ agent, spans }: AgentSpans) => {
    live.add(
      () => readSpans(spans),
      () => factsOf?.(agent.attributes),
      (score) => sendEvent?.(score, agent, labelOf?.(score)),
    );
  });
  const endAll = live.guard(() => collector.endAll());
  return {
    get pending() {
      return live.pending;
    },
    onStart: live.guard((span: unknown) => collector.start(span)),
    onEnd: live.guard((span: unknown) => collector.end(span)),
    forceFlush: () => live.flush(),
    async shutdown() {
      endAll();
      await live.flush();
    },
  };
}

function readSpans(spans: readonly FinishedSpan[]) {
  const value = otlpOf(spans);
  const name = 'spans';
  try {
    return readAs('otel-genai', name, value);
  } catch (error) {
    if (!(error instanceof IntegrationError)) throw error;
    return readAs('openinference', name, value);
  }
}

type SendEvent = (
  score: LiveScore,
  agent: FinishedSpan,
  label: string | undefined,
) => Promise<void>;

const EVENT = 'gen_ai.evaluation.result';
const SEVERITY_INFO = 9;

function createEventSender(): SendEvent {
  let missing = false;
  return async (score, agent, label) => {
    if (missing) return;
    const { api, logs } = await importOptional({
      packages: '@opentelemetry/api @opentelemetry/api-logs',
      neededFor: 'the event gen_ai.evaluation.result',
      alternative: 'set emit to false',
      load: async () => ({
        api: await import('@opentelemetry/api'),
        logs: await import('@opentelemetry/api-logs'),
      }),
    }).catch((error: unknown) => {
      missing = true;
      throw error;
    });
    const { traceId, spanId, traceFlags = 1 } = agent;
    logs.logs.getLogger('knowledgepulse').emit({
      eventName: EVENT,
      severityNumber: SEVERITY_INFO,
      context: api.trace.setSpanContext(api.ROOT_CONTEXT, { traceId, spanId, traceFlags }),
      attributes: attributesOf(score, label),
    });
  };
}

function attributesOf(
  { report, provenance }: LiveScore,
  label: string | undefined,
): Record<string, string | number | boolean> {
  const attributes: Record<string, string | number | boolean> = {
    'gen_ai.evaluation.name': 'knowledgepulse',
    'gen_ai.evaluation.score.value': report.score,
    'gen_ai.evaluation.explanation': explainScore(report),
    'knowledgepulse.profile': report.profile,
    'knowledgepulse.novelty.source': report.novelty.source,
    'knowledgepulse.success.source': provenance.success,
  };
  if (label !== undefined) attributes['gen_ai.evaluation.score.label'] = label;
  for (const [name, value] of Object.entries(report.dimensions)) {
    attributes[`knowledgepulse.dimension.${name}`] = value;
  }
  return attributes;
}
