import { describe, expect, it } from 'bun:test';
import type { JsonObject } from '../../json/json-value.ts';
import { openaiResponsesImporter } from './openai-responses.ts';

describe('chained responses', () => {
  const failure = { status: 'failed', error: { code: 'server_error', message: 'No.' } };
  const response = (id: string, before: string | undefined, ending: JsonObject): JsonObject => ({
    object: 'response',
    id,
    previous_response_id: before ?? null,
    output: [{ type: 'message', role: 'assistant', content: `I am ${id}.` }],
    ...ending,
  });

  it('count as failed if the last one failed', () => {
    const verdictsOf = (...responses: JsonObject[]): unknown => {
      const runs = [...openaiResponsesImporter.read(responses)];
      expect(runs).toHaveLength(1);
      const [run] = runs;
      return run instanceof Error ? run : run?.verdicts;
    };
    const crash = [{ path: 'error', value: failure.error, rank: 'crash' }];
    expect(verdictsOf(response('a', undefined, {}), response('b', 'a', failure))).toEqual(crash);
    expect(verdictsOf(response('a', undefined, failure), response('b', 'a', {}))).toBeUndefined();
  });

  it('are recorded in order, or as a single response', () => {
    const [first, second] = [response('a', undefined, {}), response('b', 'a', {})];
    const recordsOf = (...responses: JsonObject[]): unknown[] =>
      [...openaiResponsesImporter.read(responses)].map((run) =>
        run instanceof Error ? run : run.record,
      );
    expect(recordsOf(first)).toEqual([first]);
    expect(recordsOf(first, second)).toEqual([[first, second]]);
  });
});
