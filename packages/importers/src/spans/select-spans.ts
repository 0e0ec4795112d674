import {
  ancestors,
  type ModelCall,
  type Span,
  type SpanConvention,
  type ToolExecution,
} from './span.ts';

/** A span and what it records of a call of a model. */
export interface ModelSpan {
  readonly span: Span;
  readonly call: ModelCall;
}

/** A span and what it records of a call of a tool. */
export interface ToolSpan {
  readonly span: Span;
  readonly execution: ToolExecution;
}

/**
 * Picks the spans that say what the agent did, each call once. A call of a model shows up as the
 * span of the framework, of the client and of the provider, one inside the other: the innermost
 * with contents stands for all. A tool's span inside a span of the same tool is the same call.
 */
export function selectSpans(
  spans: readonly Span[],
  convention: SpanConvention,
): { models: ModelSpan[]; tools: ToolSpan[] } {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const unique = [...byId.values()];
  const models: ModelSpan[] = [];
  const tools: ToolSpan[] = [];
  for (const span of unique) {
    const execution = convention.readToolExecution(span);
    const call = execution === undefined ? convention.readModelCall(span) : undefined;
    if (execution !== undefined) tools.push({ span, execution });
    else if (call !== undefined) models.push({ span, call });
  }
  return { models: innermost(models, byId), tools: outermost(tools, byId) };
}

function innermost(models: readonly ModelSpan[], byId: ReadonlyMap<string, Span>): ModelSpan[] {
  const covered = new Set<string>();
  for (const { span } of models) for (const id of ancestors(span, byId)) covered.add(id);
  const responses = new Set<string>();
  return models.filter(({ span, call: { responseId } }) => {
    if (covered.has(span.spanId)) return false;
    if (responseId === undefined) return true;
    const isFirst = !responses.has(responseId);
    responses.add(responseId);
    return isFirst;
  });
}

function outermost(tools: readonly ToolSpan[], byId: ReadonlyMap<string, Span>): ToolSpan[] {
  const names = new Map(tools.map(({ span, execution }) => [span.spanId, execution.name]));
  const kept = tools.filter(({ span, execution }) =>
    ancestors(span, byId).every((id) => names.get(id) !== execution.name),
  );
  const withResult = new Set(
    kept.flatMap(({ execution: { callId, result } }) =>
      result === undefined || callId === undefined ? [] : [callId],
    ),
  );
  const seen = new Set<string>();
  return kept.filter(({ execution: { callId, result } }) => {
    if (callId === undefined) return true;
    if (seen.has(callId) || (result === undefined && withResult.has(callId))) return false;
    seen.add(callId);
    return true;
  });
}
