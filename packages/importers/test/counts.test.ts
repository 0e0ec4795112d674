import { expect, it } from 'bun:test';
import { readFileSync } from 'node:fs';
import { describeWith, recordingsNeed, sharedFolder } from '@kp/testing/needs';
import type { ImportedTrace } from '../src/index.ts';
import { importAll } from './read.ts';

/** The independent count of a recording and the imported traces. */
interface Counts {
  readonly runs: number;
  readonly tool_calls: number;
  readonly tool_names: Readonly<Record<string, number>>;
  readonly success: number;
  readonly failure: number;
  readonly unknown: number;
}

/** Cases in which the independent count is wrong, with the reason; `read` is the manual count. */
const COUNTED_WRONGLY: Readonly<Record<string, { why: string; read: Partial<Counts> }>> = {
  'more/formats/google-adk/context_update_test_successful_test.session.json': {
    why: 'event_logs repeats the one call twice, in the answer of a model and in the next request',
    read: { tool_calls: 1, tool_names: { update_fc: 1 } },
  },
  'more/formats/claude-code-subagents/258c7280-ae70-4798-800f-63464d01a85d/subagents/agent-acompact-fffbd0.jsonl':
    { why: 'the agent summarises the session', read: { runs: 0, unknown: 0 } },
  'more/formats/cli-streams-takopi/opencode_run_json.jsonl': {
    why: 'the event tool_use holds a call of bash under part.tool; an event error ends the run',
    read: { tool_calls: 1, tool_names: { bash: 1 }, failure: 1, unknown: 0 },
  },
  'more/formats/cli-streams-takopi/claude_stream_json_session.jsonl': {
    why: 'a second session, bbbbbbbb-…, ends in a result with is_error before its first step',
    read: { runs: 2, failure: 1 },
  },
  'more/formats/langfuse/microsoft-agent-2025-12-17.trace.json': {
    why: 'the trace has the score correctness of 1',
    read: { success: 1, unknown: 0 },
  },
  'more/formats/langchain/langgraphjs_recorded_messages_multiple_layers_of_supervision.json': {
    why: 'two messages call a tool; their calls come in pieces, tool_call_chunks',
    read: {
      tool_calls: 2,
      tool_names: { transfer_to_research_team: 1, transfer_to_math_expert: 1 },
    },
  },
  'more/formats/langfuse/langgraph-js-2025-10-30.trace.json': {
    why: 'no observation is of type TOOL, but the first generation calls get_weather',
    read: { tool_calls: 1, tool_names: { get_weather: 1 } },
  },
  'more/formats/langfuse/pydantic-ai-tools-2025-12-04.trace.json': {
    why: "counted by the observations' names; gen_ai.tool.name in each has the tool's own",
    read: {
      tool_names: {
        get_pun_suggestion: 1,
        get_dad_joke_suggestion: 1,
        get_one_liner_suggestion: 1,
      },
    },
  },
  'more/formats/openai-agents-runstate-scripted/python_v1_5_tool_search_and_display_metadata.json':
    {
      why: 'tool_search_call is a call of a tool of the provider, as web_search_call is',
      read: { tool_calls: 2, tool_names: { tool_search_call: 1, lookup: 1 } },
    },
  'more/formats/otel-spans-strands/openai_agents_openinference_adot_spans.json': {
    why: 'the model asked for two transfers, of which one was executed, as "handoff to …"',
    read: {
      tool_calls: 3,
      tool_names: {
        transfer_to_math_specialist: 1,
        transfer_to_research_specialist: 1,
        multiply_numbers: 1,
      },
    },
  },
  'more/formats/otel-spans-strands/openinference_adot_spans.json': {
    why: 'the kinds of the spans are in the bodies of their events: one is the tool get_weather',
    read: { tool_calls: 1, tool_names: { get_weather: 1 } },
  },
  'more/formats/vercel-ai-v6-otel-spans/all-spans.json': {
    why: 'two of the ten traces are embeddings, in which nobody says or does anything',
    read: { runs: 8, unknown: 8 },
  },
  'more/formats/vercel-ai/uimessage-chunks_langgraph-hitl-request-1.json': {
    why: 'tool-input-start and tool-input-available call delete_file',
    read: { tool_calls: 1, tool_names: { delete_file: 1 } },
  },
  ...Object.fromEntries(
    [
      'intent_plan_misalignment',
      'misinterpret_tool_info',
      'misinterpret_tool_info_2',
      'rai_policy_violation',
    ].map((name) => [
      `more/labelled/agentrx/magentic-one/trajectories/${name}.json`,
      {
        why: 'that the run failed is said by the name of the corpus, and nowhere in the file',
        read: { failure: 0, unknown: 1 },
      },
    ]),
  ),
  'next/monocle/Arindam200_monocle_trace_okahu_demos_ms_openai_magentic_travel_55d727e05bc67d4248cb78e52e76b14d_2026-06-23_02.11.05.json':
    {
      why: 'the file is cut off; what comes before the cut is read',
      read: { runs: 1, unknown: 1, tool_calls: 4, tool_names: { search_flights: 4 } },
    },
  'next/api-traffic/cline-cli_read-file.json': {
    why: 'the counts leave out the calls in streamed answers',
    read: { tool_calls: 2, tool_names: { read_file: 1, attempt_completion: 1 } },
  },
  'next/api-traffic/cline-cli_subagents.json': {
    why: 'the counts leave out the calls in streamed answers',
    read: { tool_calls: 5, tool_names: { use_subagents: 1, attempt_completion: 4 } },
  },
  'more/labelled/medagentbench-whissle/sweep25_haiku.jsonl': {
    why: 'one message is neither GET, POST nor FINISH: words, which are no call of a tool',
    read: { tool_calls: 62, tool_names: { FINISH: 24, GET: 30, POST: 8 } },
  },
  'more/labelled/medagentbench-whissle/sweep25_sonnet5.jsonl': {
    why: 'one message is neither GET, POST nor FINISH: words, which are no call of a tool',
    read: { tool_calls: 66, tool_names: { FINISH: 24, GET: 36, POST: 6 } },
  },
};

const FOLDER = `${sharedFolder}/traces`;
const COUNTS = `${FOLDER}/more/counts.json`;
const NEXT_COUNTS = `${FOLDER}/next/counts.json`;
/** Recordings of supported formats in the folder of unsupported ones. */
const READ =
  /^(?:opencode-events|labelled|cline|langsmith|monocle|openai-chat-llama-stack|gemini|otel)\/|^api-traffic\/.*json$/;

describeWith(recordingsNeed, 'independent counts of real recordings', () => {
  const next: [name: string, counts: Counts][] = Object.entries(
    JSON.parse(readFileSync(NEXT_COUNTS, 'utf8')),
  );
  const entries: [name: string, counts: Counts][] = [
    ...Object.entries<Counts>(JSON.parse(readFileSync(COUNTS, 'utf8'))),
    ...next.flatMap(([name, counts]): [string, Counts][] =>
      READ.test(name) ? [[`next/${name}`, counts]] : [],
    ),
  ];
  it.each(entries)(
    'matches the independent count of runs, calls, tools and verdicts: %s',
    async (name, counted) => {
      const items = await importAll(readFileSync(`${FOLDER}/${name}`));
      const read = countsOf(items);
      const expected = { ...only(counted), ...COUNTED_WRONGLY[name]?.read };
      expect(read).toEqual(expected);
    },
  );

  it('refers only to existing recordings', () => {
    const known = new Set(entries.map(([name]) => name));
    const listed = Object.keys(COUNTED_WRONGLY);
    expect(listed.filter((name) => !known.has(name))).toEqual([]);
  });
});

function only({ runs, tool_calls, tool_names, success, failure, unknown }: Counts): Counts {
  return { runs, tool_calls, tool_names, success, failure, unknown };
}

function countsOf(items: readonly ImportedTrace[]): Counts {
  const tool_names: Record<string, number> = {};
  let success = 0;
  let failure = 0;
  let unknown = 0;
  let tool_calls = 0;
  for (const item of items) {
    if (item.kind === 'error') continue;
    if (item.kind === 'crashed') {
      failure += 1;
      continue;
    }
    const verdict = item.kind === 'trace' ? item.trace.metadata.success : undefined;
    if (verdict === undefined) unknown += 1;
    else if (verdict) success += 1;
    else failure += 1;
    for (const { tool } of item.trace.steps) {
      if (tool === undefined) continue;
      tool_calls += 1;
      tool_names[tool.name] = (tool_names[tool.name] ?? 0) + 1;
    }
  }
  const runs = success + failure + unknown;
  return { runs, tool_calls, tool_names, success, failure, unknown };
}
