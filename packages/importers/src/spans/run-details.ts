import type { RunDetails } from '@kp/schema';
import { isoTime } from '../json/times.ts';
import { earliestStart, type Span, textOf } from './span.ts';

const INPUT = [
  'gen_ai.usage.input_tokens',
  'gen_ai.usage.prompt_tokens',
  'llm.token_count.prompt',
  'ai.usage.promptTokens',
];
const OUTPUT = [
  'gen_ai.usage.output_tokens',
  'gen_ai.usage.completion_tokens',
  'llm.token_count.completion',
  'ai.usage.completionTokens',
];
const COST = ['gen_ai.usage.cost', 'llm.cost.total'];
const SESSION = ['session.id', 'gen_ai.conversation.id', 'langfuse.session.id'];
const PROJECT = ['openinference.project.name'];
const USER = ['user.id', 'enduser.id', 'langfuse.user.id'];

/**
 * Reads time, tokens, cost, session, project and user of a run.
 *
 * @param spans - the run's spans.
 * @param models - the spans that are read as model calls; enclosing spans repeat their tokens.
 */
export function detailsOf(spans: readonly Span[], models: readonly Span[]): RunDetails {
  const start = earliestStart(spans);
  const end = spans.reduce((most, span) => Math.max(most, span.end), 0);
  return {
    ended_at: end > 0 && end >= start ? isoTime(end) : undefined,
    duration_ms: start > 0 && end > start ? Math.round(end - start) : undefined,
    input_tokens: sumOf(models, INPUT),
    output_tokens: sumOf(models, OUTPUT),
    cost_usd: sumOf(models, COST),
    session: firstOf(spans, SESSION),
    project: firstOf(spans, PROJECT),
    user: firstOf(spans, USER),
  };
}

function sumOf(spans: readonly Span[], keys: readonly string[]): number | undefined {
  const amounts = spans.flatMap(({ attributes }) => {
    const amount = keys.map((key) => attributes[key]).find((value) => typeof value === 'number');
    return typeof amount === 'number' ? amount : [];
  });
  return amounts.length === 0 ? undefined : amounts.reduce((sum, amount) => sum + amount, 0);
}

function firstOf(spans: readonly Span[], keys: readonly string[]): string | undefined {
  return spans
    .map(({ attributes }) => textOf(attributes, ...keys))
    .find((name) => name !== undefined);
}
