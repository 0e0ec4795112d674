import { createTracingProcessor } from '../src/openai-agents.ts';
import { watchScores } from './watch-scores.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Creates a processor and reports spans of one trace to it, as the SDK does. */
export function watchSpans(traceId = 't') {
  const watched = watchScores();
  const processor = createTracingProcessor(watched.options);
  const made = (spanId: string, spanData: Fields, parentId: string | null, error?: string) => ({
    traceId,
    spanId,
    spanData,
    parentId,
    error: error === undefined ? null : { message: 'Error in run', data: { error } },
  });
  const start = (spanId: string, data: Fields, parentId: string | null = null) =>
    processor.onSpanStart(made(spanId, data, parentId));
  const end = (spanId: string, data: Fields, parentId: string | null = null, error?: string) =>
    processor.onSpanEnd(made(spanId, data, parentId, error));
  return {
    ...watched,
    processor,
    startTrace: () => processor.onTraceStart({ traceId }),
    endTrace: () => processor.onTraceEnd({ traceId }),
    start,
    end,
    /** A span that starts and ends. */
    async span(spanId: string, data: Fields, parentId: string | null = null) {
      await start(spanId, data, parentId);
      await end(spanId, data, parentId);
    },
  };
}

/** Data of a model's span with these items as its answer. */
export const answered = (...output: readonly Fields[]): Fields => ({
  type: 'response',
  _input: 'Clean up',
  _response: { output },
});

/** Data of a tool's span. */
export const executed = (name: string, input: Fields = {}): Fields => ({
  type: 'function',
  name,
  input: JSON.stringify(input),
  output: 'done',
});

/** An item that requests a call of a function. */
export const requested = (name: string, input: Fields = {}): Fields => ({
  type: 'function_call',
  call_id: `${name} ${JSON.stringify(input)}`,
  name,
  arguments: JSON.stringify(input),
});
