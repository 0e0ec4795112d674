import type { LiveScorer } from '../live/live-scorer.ts';
import { createRunTracker } from '../live/run-tracker.ts';
import { overloaded } from '../run/integration-error.ts';
import type { RunEnding } from '../run/run-ending.ts';
import { SCOPE } from './send-event.ts';
import {
  dataOf,
  idsOf,
  isAgentSpan,
  isGenAi,
  type SpanData,
  type SpanIds,
  scopeOf,
} from './span-data.ts';
import { endingOfSpans } from './span-ending.ts';

/** The spans of one run. */
export interface SpanRun {
  /** The span of the agent, or the outermost span if no agent has one. */
  readonly agent: SpanData;
  readonly spans: readonly SpanData[];
  readonly ending: RunEnding | undefined;
}

/** Collects the spans of runs as they start and end. */
export interface RunCollector {
  start(span: unknown): void;
  end(span: unknown): void;
  /** Ends the runs whose agent has ended and that wait for later spans, or all runs. */
  endRuns(which: 'ended' | 'all'): void;
}

/** A span that has started. `run` is that of its outermost agent, or else of its outermost span. */
interface Node {
  readonly key: string;
  readonly ids: SpanIds;
  readonly span: unknown;
  readonly parent: Node | undefined;
  readonly startedAt: number;
  run: CollectedRun;
}

interface CollectedRun {
  /** The span whose end ends the run. */
  readonly owner: Node;
  readonly isAgent: boolean;
  readonly spans: { readonly node: Node; readonly data: SpanData }[];
  /** Of ended spans that may still be the parents of others. */
  readonly endedKeys: string[];
  openSpans: number;
  agent: SpanData | undefined;
  isClosed: boolean;
}

const MOST_SPANS = 10_000;
const MOST_OPEN = 100_000;
/** How long a run whose agent has ended waits for spans below that are still open. */
const LATE_SPAN_MS = 1000;

/**
 * One run for each outermost agent span, with everything below it; in traces without an agent, one
 * for the outermost span. Spans that say nothing of a model, a tool or an agent are not kept.
 *
 * The order of spans is that of the calls of `start` and `end`. The times of spans do not give it: in
 * JavaScript they start on whole milliseconds.
 *
 * @param onRun - receives each run when it has ended.
 */
export function collectRuns(live: LiveScorer, onRun: (run: SpanRun) => void): RunCollector {
  // The open spans, and the ended ones of open runs of agents; the oldest first.
  const nodes = new Map<string, Node>();
  const now = createClock();
  let hasWarned = false;
  const runs = createRunTracker<CollectedRun>(live, (run, ending) => {
    run.isClosed = true;
    nodes.delete(run.owner.key);
    for (const key of run.endedKeys) nodes.delete(key);
    const { ids, span, startedAt } = run.owner;
    const agent = run.agent ?? dataOf(span, ids, startedAt, now());
    const spans = run.spans.map(({ data }) => data);
    const hasEnded = run.isAgent && run.agent !== undefined;
    const found = hasEnded ? endingOfSpans(agent, spans, run.openSpans > 0) : undefined;
    if (spans.length > 0) onRun({ agent, spans, ending: found ?? ending });
  });

  function start(span: unknown): void {
    const ids = idsOf(span);
    // The spans of our scores are no part of a run.
    if (ids === undefined || scopeOf(span) === SCOPE) return;
    const key = `${ids.traceId}/${ids.spanId}`;
    const parent = nodes.get(`${ids.traceId}/${ids.parentSpanId}`);
    const node = { key, ids, span, parent, startedAt: now() } as Node;
    const isAgent = isAgentSpan(span);
    const above = parent?.run;
    node.run = above?.isAgent || (above && !isAgent) ? above : openRun(node, isAgent);
    node.run.openSpans++;
    nodes.set(key, node);
    if (isAgent || isGenAi(span)) track(node.run);
    if (node.run.agent !== undefined) runs.endLater(node.run.owner.key, LATE_SPAN_MS);
    if (nodes.size > MOST_OPEN) evictOldest();
  }

  function end(span: unknown): void {
    const ids = idsOf(span);
    const node = ids && nodes.get(`${ids.traceId}/${ids.spanId}`);
    if (ids === undefined || node === undefined) return;
    // What makes a span one of an agent may be set while it is open.
    if (!node.run.isAgent && isAgentSpan(span)) splitOff(node);
    const { run } = node;
    run.openSpans--;
    const isKept = run.isAgent && !run.isClosed && run.endedKeys.length < MOST_SPANS;
    if (isKept) run.endedKeys.push(node.key);
    else nodes.delete(node.key);
    if (run.isClosed) return;
    const data = dataOf(span, ids, node.startedAt, now());
    if (isGenAi(span)) {
      track(run);
      if (run.spans.length < MOST_SPANS) run.spans.push({ node, data });
    }
    if (node === run.owner) run.agent = data;
    if (run.agent === undefined) return;
    if (run.openSpans === 0) runs.end(run.owner.key);
    else runs.endLater(run.owner.key, LATE_SPAN_MS);
  }

  /** Only runs with something to score count as open. */
  function track(run: CollectedRun): void {
    if (runs.get(run.owner.key) === undefined) runs.start(run.owner.key, run);
  }

  /** Makes the spans below an agent a run of their own. */
  function splitOff(node: Node): void {
    const outer = node.run;
    const inner = openRun(node, true);
    for (const each of nodes.values()) {
      if (each.run !== outer || !isBelow(each, node)) continue;
      each.run = inner;
      outer.openSpans--;
      inner.openSpans++;
    }
    const { moved = [], left = [] } = Object.groupBy(outer.spans, (each) =>
      isBelow(each.node, node) ? 'moved' : 'left',
    );
    inner.spans.push(...moved);
    outer.spans.splice(0, outer.spans.length, ...left);
    track(inner);
  }

  /** Spans that never end must not keep others from being scored. */
  function evictOldest(): void {
    const [oldest] = nodes.values();
    if (oldest === undefined) return;
    runs.end(oldest.run.owner.key, {
      kind: 'unfinished',
      reason: `No end of the run was seen: more than ${MOST_OPEN} spans were open.`,
    });
    nodes.delete(oldest.key);
    if (hasWarned) return;
    hasWarned = true;
    live.report(overloaded(`${MOST_OPEN} open spans`, 'end every span; the oldest is let go'));
  }

  return {
    start,
    end,
    endRuns(which) {
      if (which === 'ended') runs.endPlanned();
      else runs.endAll();
    },
  };
}

function openRun(owner: Node, isAgent: boolean): CollectedRun {
  return {
    owner,
    isAgent,
    spans: [],
    endedKeys: [],
    openSpans: 0,
    agent: undefined,
    isClosed: false,
  };
}

/** Whether a span is `above`, or somewhere below it. */
function isBelow(node: Node, above: Node): boolean {
  let at: Node | undefined = node;
  while (at !== undefined && at !== above) at = at.parent;
  return at === above;
}

/** Microseconds since the epoch, greater on each call. */
function createClock(): () => number {
  let last = 0;
  return () => {
    const time = Math.floor((performance.timeOrigin + performance.now()) * 1000);
    last = Math.max(time, last + 1);
    return last;
  };
}
