import { isJsonObject } from '../json/json-value.ts';
import { SPAN_KIND } from './open-inference-convention.ts';
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
  const ids = findAgents(spans);
  const agents = fromOutermost(spans, byId, ({ spanId }) => (ids.has(spanId) ? spanId : undefined));
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

/**
 * Finds the spans of agents, in any convention. A graph of LangGraph is one agent: OpenInference also gives
 * the kind `AGENT` to each of its nodes that is named so.
 *
 * @returns their ids.
 */
export function findAgents(spans: readonly Span[]): Set<string> {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const agents = new Set<string>();
  for (const span of spans) {
    if (!isInGraph(span)) {
      if (isAgent(span)) agents.add(span.spanId);
      continue;
    }
    const parent = span.parentId === undefined ? undefined : byId.get(span.parentId);
    if (parent !== undefined && SPAN_KIND in parent.attributes && !isInGraph(parent)) {
      agents.add(parent.spanId);
    }
  }
  return agents;
}

/** Whether a span belongs to a node of a graph: LangGraph names the node in the metadata. */
function isInGraph({ attributes: { metadata } }: Span): boolean {
  if (typeof metadata === 'string') return metadata.includes('"langgraph_node"');
  return isJsonObject(metadata) && 'langgraph_node' in metadata;
}

function isAgent({ attributes }: Span): boolean {
  return (
    AGENT_OPERATIONS.has(String(attributes['gen_ai.operation.name'])) ||
    attributes[SPAN_KIND] === 'AGENT' ||
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
