import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Embedder, NoveltyMemory, ReasoningTrace, Scorer } from '@knowledgepulse/sdk';

/** The measured product, of this or another revision. */
export type Sdk = typeof import('@knowledgepulse/sdk');

/** The finance example of the documentation: five steps, score 0.724 with an empty memory. */
export const financeTrace: ReasoningTrace = {
  '@context': 'https://openknowledgepulse.org/schema/v1',
  '@type': 'ReasoningTrace',
  id: 'kp:trace:finance-demo-001',
  metadata: {
    created_at: '2026-01-15T10:00:00.000Z',
    task_domain: 'finance',
    success: true,
    quality_score: 0,
    visibility: 'network',
    privacy_level: 'aggregated',
  },
  task: { objective: 'Analyze TSMC Q4 earnings report' },
  steps: [
    { step_id: 0, type: 'thought', content: 'Extracting revenue and margin data' },
    {
      step_id: 1,
      type: 'tool_call',
      tool: { name: 'financial_data_api' },
      input: { ticker: 'TSM' },
    },
    { step_id: 2, type: 'observation', content: 'Revenue: $26.3B, up 14.3% YoY' },
    {
      step_id: 3,
      type: 'tool_call',
      tool: { name: 'comparison_tool' },
      input: { metric: 'gross_margin' },
    },
    { step_id: 4, type: 'observation', content: 'Gross margin 57.9%, above industry average' },
  ],
  outcome: { result_summary: 'Strong quarterly performance', confidence: 0.92 },
};

/** Repeats the steps of the finance example up to the given number. */
export function longTrace(steps: number): ReasoningTrace {
  return {
    ...financeTrace,
    id: `kp:trace:finance-${steps}-steps`,
    steps: Array.from({ length: steps }, (_, index) => {
      const step = financeTrace.steps[index % financeTrace.steps.length];
      if (step === undefined) throw new RangeError('steps: expected an example, received none');
      return { ...step, step_id: index };
    }),
  };
}

const folder = fileURLToPath(new URL('../../../../examples/traces/', import.meta.url));

/** Example files with one trace per line, in order. */
export const EXAMPLE_FILES: readonly string[] = readdirSync(folder)
  .filter((name) => name.endsWith('.jsonl'))
  .sort()
  .map((name) => `${folder}${name}`);

/** The traces of {@link EXAMPLE_FILES}. */
export function readExampleTraces({ parseTrace }: Pick<Sdk, 'parseTrace'>): ReasoningTrace[] {
  return EXAMPLE_FILES.flatMap((file) => readFileSync(file, 'utf8').trim().split('\n')).map(
    (line) => parseTrace(JSON.parse(line)),
  );
}

/**
 * Creates a function that gives each trace a new objective, because embedders may cache embeddings
 * and a cache hit must not be timed.
 */
export function createRewording(): (trace: ReasoningTrace) => ReasoningTrace {
  let count = 0;
  return (trace) => {
    const objective = `${trace.task.objective} ${count++}`;
    return { ...trace, task: { ...trace.task, objective } };
  };
}

const VECTOR = new Float32Array(384).fill(1 / Math.sqrt(384));

/** Creates a scorer with an instant embedder and memory, to time everything else. */
export function createInstantScorer({ createScorer }: Pick<Sdk, 'createScorer'>): Scorer {
  return createScorer({ embedder: INSTANT_EMBEDDER, memory: INSTANT_MEMORY });
}

const INSTANT_EMBEDDER: Embedder = {
  id: 'instant',
  dimensions: VECTOR.length,
  embed: async () => [{ vector: VECTOR, truncated: false }],
};

const INSTANT_MEMORY: NoveltyMemory = {
  dimensions: VECTOR.length,
  size: 1,
  nearest: () => ({ key: 'kp:trace:other', similarity: 0.5 }),
  add: () => undefined,
};

/** Creates tau-bench chats of an agent with tools. */
export function madeUpChats(): unknown[] {
  return Array.from({ length: 12 }, (_, chat) => ({
    task_id: chat,
    trial: 0,
    reward: chat % 2,
    info: {},
    traj: Array.from({ length: 12 }, (_, turn) => messageOf(chat, turn)),
  }));
}

function messageOf(chat: number, turn: number): unknown {
  const id = `call_${chat}_${turn - (turn % 3)}`;
  if (turn % 3 === 0) return { role: 'user', content: `Change ${chat} of my order W${chat * 37}.` };
  if (turn % 3 === 2) return { role: 'tool', tool_call_id: id, content: `{"order":"W${chat}"}` };
  const call = { name: 'get_order', arguments: `{"order_id":"W${chat * 37}","turn":${turn}}` };
  return {
    role: 'assistant',
    content: null,
    tool_calls: [{ id, type: 'function', function: call }],
  };
}
