import { describe, expect, it } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import type { ImportedTrace } from '../src/index.ts';
import { importAll } from './read.ts';
import { sharedFolder } from './recordings.ts';

/** What an independent count of a recording says, and what was imported from it. */
interface Counts {
  readonly runs: number;
  readonly tool_calls: number;
  readonly tool_names: Readonly<Record<string, number>>;
  readonly success: number;
  readonly failure: number;
  readonly unknown: number;
}

/** Where the independent count is wrong, and why; `read` is what was counted by hand instead. */
const COUNTED_WRONGLY: Readonly<Record<string, { why: string; read: Partial<Counts> }>> = {
  'more/formats/google-adk/context_update_test_successful_test.session.json': {
    why: 'event_logs repeats the one call twice, in the answer of a model and in the next request',
    read: { tool_calls: 1, tool_names: { update_fc: 1 } },
  },
};

/** Recordings of which an importer is still to come; each must still disagree. */
const STILL_TO_COME: ReadonlySet<string> = new Set<string>([
  'more/formats/anthropic-managed-agents/langsmith_anthropic_managed_custom_tools.jsonl',
  'more/formats/anthropic-managed-agents/langsmith_anthropic_managed_mcp_tools_reject.jsonl',
  'more/formats/cli-streams-takopi/opencode_run_json.jsonl',
  'more/formats/cli-streams-takopi/pi_print_mode_events.jsonl',
  'more/formats/inspect-eval-zstd/legacy_retry-2-then-success.eval',
  'more/formats/langchain/langgraphjs_recorded_messages_multiple_layers_of_supervision.json',
  'more/formats/langfuse/beeai-2025-08-01.trace.json',
  'more/formats/langfuse/csharp-agent-with-gemini-2026-03-09.trace.json',
  'more/formats/langfuse/google-gemini-2025-08-01.trace.json',
  'more/formats/langfuse/langgraph-js-2025-10-30.trace.json',
  'more/formats/langfuse/microsoft-agent-2025-12-17.trace.json',
  'more/formats/langfuse/pydantic-ai-tools-2025-12-04.trace.json',
  'more/formats/langfuse/vercel-aisdk-2025-11-17.trace.json',
  'more/formats/openhands/multi_swe_bench_output.jsonl',
  'more/formats/openhands/trajectory_basic.json',
  'more/formats/openhands/trajectory_basic_interactions.json',
  'more/formats/otel-spans-strands/adk_live_spans.json',
  'more/formats/otel-spans-strands/claude_adot_spans.json',
  'more/formats/otel-spans-strands/openai_agents_genai_adot_spans.json',
  'more/formats/otel-spans-strands/openai_agents_openinference_adot_spans.json',
  'more/formats/otel-spans-strands/openinference_adot_spans.json',
  'more/formats/otel-spans-strands/otel_genai_convention_spans.json',
  'more/formats/otel-spans-strands/smolagents_live_spans.json',
  'more/formats/vercel-ai-v6-otel-spans/all-spans.json',
  'more/formats/vercel-ai/uimessage-chunks_langgraph-hitl-request-1.json',
  'more/labelled/agentrx/magentic-one/trajectories/intent_plan_misalignment.json',
  'more/labelled/agentrx/magentic-one/trajectories/misinterpret_tool_info.json',
  'more/labelled/agentrx/magentic-one/trajectories/misinterpret_tool_info_2.json',
  'more/labelled/agentrx/magentic-one/trajectories/rai_policy_violation.json',
  'more/labelled/medagentbench-whissle/sweep25_fable5.jsonl',
  'more/labelled/medagentbench-whissle/sweep25_g35fl.jsonl',
  'more/labelled/medagentbench-whissle/sweep25_haiku.jsonl',
  'more/labelled/medagentbench-whissle/sweep25_sonnet5.jsonl',
  'more/labelled/tau-bench-retail-avaljotsingh/assertions-agent-none-0.1_range_0-100_6_18_2025.json',
]);

const FOLDER = `${sharedFolder}/traces`;
const COUNTS = `${FOLDER}/more/counts.json`;
const entries: [name: string, counts: Counts][] = existsSync(COUNTS)
  ? Object.entries(JSON.parse(readFileSync(COUNTS, 'utf8')))
  : [];

describe('independent counts of real recordings', () => {
  it.each(entries)('agrees on runs, calls, tools and verdicts: %s', async (name, counted) => {
    const items = await importAll(readFileSync(`${FOLDER}/${name}`));
    const read = countsOf(items);
    const expected = { ...only(counted), ...COUNTED_WRONGLY[name]?.read };
    if (STILL_TO_COME.has(name)) expect(read).not.toEqual(expected);
    else expect(read).toEqual(expected);
  });

  it('names no recording twice and none that is not there', () => {
    const known = new Set(entries.map(([name]) => name));
    const listed = [...Object.keys(COUNTED_WRONGLY), ...STILL_TO_COME];
    expect(new Set(listed).size).toBe(listed.length);
    if (entries.length > 0) expect(listed.filter((name) => !known.has(name))).toEqual([]);
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
