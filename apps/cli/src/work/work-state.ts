import { messageOf, redactUrls, withTimeout } from '@kp/foundation';
import type { GaugeValue } from './work-metrics.ts';
import type { WorkQueueState } from './work-queue.ts';

/** Functions that query the queue and the memory. */
export interface StateSources {
  readonly queueState: () => Promise<WorkQueueState>;
  /** Returns facts about the memory; undefined before it is open, null without a memory. */
  readonly memoryFacts: () => Promise<Readonly<Record<string, unknown>>> | undefined | null;
}

/** Answer of a server. */
interface Asked<Answer> {
  readonly answer?: Answer;
  /** Reason for a missing answer. */
  readonly problem?: string;
}

/** Latest answers of a worker's servers. */
export interface WorkState {
  readonly queue: Asked<WorkQueueState>;
  /** Undefined for a worker without a memory. */
  readonly memory: Asked<Readonly<Record<string, unknown>>> | undefined;
}

/** Timeout in milliseconds; shorter than that of probes and of Prometheus (10 s). */
const ANSWER_MS = 2000;
/** Milliseconds during which several probes share one answer. */
const FRESH_MS = 1000;

/** Queries queue and memory in parallel, each with a timeout of 2 s, at most once per second. */
export function createStateReader(sources: StateSources): () => Promise<WorkState> {
  let latest: Promise<WorkState> | undefined;
  let askedAt = 0;
  return () => {
    if (latest !== undefined && performance.now() - askedAt < FRESH_MS) return latest;
    askedAt = performance.now();
    const memory = sources.memoryFacts();
    const asked = Promise.all([
      ask(sources.queueState()),
      memory === undefined ? { problem: 'the memory is being opened' } : memory && ask(memory),
    ]);
    latest = asked.then(([queue, answer]) => ({ queue, memory: answer ?? undefined }));
    return latest;
  };
}

async function ask<Answer>(answer: Promise<Answer>): Promise<Asked<Answer>> {
  const late = (): Error => new Error(`no answer within ${ANSWER_MS / 1000} s`);
  try {
    return { answer: await withTimeout(answer, ANSWER_MS, late) };
  } catch (error) {
    return { problem: redactUrls(messageOf(error)) };
  }
}

/** Returns the gauges with values in a state. */
export function gaugesOf({ queue, memory }: WorkState): readonly GaugeValue[] {
  const values: GaugeValue[] = [
    { id: 'reachable', label: 'queue', value: queue.answer === undefined ? 0 : 1 },
  ];
  if (queue.answer !== undefined) {
    const { waiting, active, failed, oldestSeconds } = queue.answer;
    for (const [label, value] of Object.entries({ waiting, active, failed })) {
      values.push({ id: 'queueDepth', label, value });
    }
    values.push({ id: 'oldestAge', value: oldestSeconds });
    const { oldestSeconds: oldestShard, ...depths } = queue.answer.shards;
    for (const [label, value] of Object.entries(depths)) {
      values.push({ id: 'shardDepth', label, value });
    }
    values.push({ id: 'oldestShardAge', value: oldestShard });
  }
  if (memory === undefined) return values;
  values.push({ id: 'reachable', label: 'memory', value: memory.answer === undefined ? 0 : 1 });
  const { entries, bytes, lag } = memory.answer ?? {};
  for (const [id, value] of [
    ['memoryEntries', entries],
    ['memorySize', bytes],
    ['memoryLag', lag],
  ] as const) {
    if (typeof value === 'number') values.push({ id, value });
  }
  return values;
}
