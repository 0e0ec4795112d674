import { type ModelSpan, selectSpans } from './select-spans.ts';
import { earliestStart, fromOutermost, type Span, type SpanConvention } from './span.ts';

const AGENT_OPERATIONS = new Set(['invoke_agent', 'invoke_workflow']);

/**
 * Splits the spans of a trace by agent: two agents that one request started are two runs. An agent inside
 * another agent's span works for it, and so does one that continues from another's output (a handoff).
 * Spans outside any agent form a separate part.
 */
export function splitAgents(spans: readonly Span[], convention: SpanConvention): Span[][] {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const agents = fromOutermost(spans, byId, (span) => (isAgent(span) ? span.spanId : undefined));
  const parts = new Map<string, Span[]>();
  for (const span of spans) {
    const agent = agents.get(span.spanId);
    const part = parts.get(agent ?? '') ?? [];
    part.push(span);
    parts.set(agent ?? '', part);
  }
  const working = [...parts].flatMap(([agent, part]) => {
    const { models, tools } = selectSpans(part, convention);
    return models.length + tools.length === 0 ? [] : [{ agent, part, models }];
  });
  if (working.filter(({ agent }) => agent !== '').length < 2) return [[...spans]];
  const inOrder = working
    .map((each) => ({ ...each, start: earliestStart(each.part) }))
    .sort((a, b) => a.start - b.start);
  const runs: Span[][] = [];
  /** The run that first produced each text. */
  const saidBy = new Map<string, number>();
  for (const { part, models } of inOrder) {
    // An agent that continues from an earlier agent's answer belongs to that run.
    const heard = models.flatMap(({ call }) => call.inputs.flatMap(wordsOf));
    const earlier = heard.reduce((run, words) => Math.min(run, saidBy.get(words) ?? run), Infinity);
    if (earlier < runs.length) {
      for (const span of part) runs[earlier]?.push(span);
      continue;
    }
    for (const words of models.flatMap(({ call }) => call.outputs.flatMap(wordsOf))) {
      if (!saidBy.has(words)) saidBy.set(words, runs.length);
    }
    runs.push(part);
  }
  return runs;
}

/** Whether a span is an agent's span in any convention. */
export function isAgent({ attributes }: Span): boolean {
  return (
    AGENT_OPERATIONS.has(String(attributes['gen_ai.operation.name'])) ||
    attributes['openinference.span.kind'] === 'AGENT' ||
    attributes['traceloop.span.kind'] === 'agent' ||
    attributes['traceloop.span.kind'] === 'workflow'
  );
}

function wordsOf({ parts }: ModelSpan['call']['outputs'][number]): string[] {
  return parts.flatMap((part) => {
    if (part.kind === 'text' && part.text.trim() !== '') return [part.text];
    return part.kind === 'call' && part.id !== undefined ? [`call ${part.id}`] : [];
  });
}
