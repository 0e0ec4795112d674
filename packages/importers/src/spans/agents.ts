import { type ModelSpan, selectSpans } from './select-spans.ts';
import { ancestors, type Span, type SpanConvention } from './span.ts';

const AGENT_OPERATIONS = new Set(['invoke_agent', 'invoke_workflow']);

/**
 * Parts the spans of a trace by the agents that worked in it: two that one request started are two
 * runs. An agent within another's span is at work for it, and one that goes on from what another
 * said (a handover) too; what happens outside of any agent is a part of its own.
 */
export function splitAgents(spans: readonly Span[], convention: SpanConvention): Span[][] {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const parts = new Map<string, Span[]>();
  for (const span of spans) {
    const agent = [span.spanId, ...ancestors(span, byId)].findLast((id) => isAgent(byId.get(id)));
    const part = parts.get(agent ?? '') ?? [];
    part.push(span);
    parts.set(agent ?? '', part);
  }
  const working = [...parts].flatMap(([agent, part]) => {
    const { models, tools } = selectSpans(part, convention);
    return models.length + tools.length === 0 ? [] : [{ agent, part, models }];
  });
  if (working.filter(({ agent }) => agent !== '').length < 2) return [[...spans]];
  working.sort((a, b) => startOf(a.part) - startOf(b.part));
  const runs: (typeof working)[number][] = [];
  for (const next of working) {
    const earlier = runs.find(({ models }) => goesOn(models, next.models));
    if (earlier === undefined) runs.push(next);
    else earlier.part.push(...next.part);
  }
  return runs.map(({ part }) => part);
}

function isAgent(span: Span | undefined): boolean {
  if (span === undefined) return false;
  const { attributes } = span;
  return (
    AGENT_OPERATIONS.has(String(attributes['gen_ai.operation.name'])) ||
    attributes['openinference.span.kind'] === 'AGENT' ||
    attributes['traceloop.span.kind'] === 'agent' ||
    attributes['traceloop.span.kind'] === 'workflow'
  );
}

function startOf(spans: readonly Span[]): number {
  return Math.min(...spans.map(({ start }) => start));
}

/** Whether the later calls are given what the earlier ones answered. */
function goesOn(earlier: readonly ModelSpan[], later: readonly ModelSpan[]): boolean {
  const said = new Set(earlier.flatMap(({ call }) => call.outputs.flatMap(wordsOf)));
  return later.some(({ call }) => call.inputs.flatMap(wordsOf).some((words) => said.has(words)));
}

function wordsOf({ parts }: ModelSpan['call']['outputs'][number]): string[] {
  return parts.flatMap((part) => {
    if (part.kind === 'text' && part.text.trim() !== '') return [part.text];
    return part.kind === 'call' && part.id !== undefined ? [`call ${part.id}`] : [];
  });
}
