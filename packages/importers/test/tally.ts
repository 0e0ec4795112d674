import type { ImportedTrace, Provenance, StepSource } from '../src/index.ts';

/** Counts over all runs of a recording, taken from the recording itself. */
export interface Tally {
  runs: number;
  successes: number;
  thoughts: number;
  calls: number;
  /** Observations that are the result of a tool. */
  results: number;
  /** Observations that are messages of a user. */
  userTurns: number;
  errors: number;
  tools: string[];
}

/** Creates a tally of zeros with the given counts. */
export function tally(counts: Partial<Tally> = {}): Tally {
  return {
    runs: 0,
    successes: 0,
    thoughts: 0,
    calls: 0,
    results: 0,
    userTurns: 0,
    errors: 0,
    tools: [],
    ...counts,
  };
}

/** Counts imported runs; recoveries count under their recorded type. */
export function tallyOf(items: readonly ImportedTrace[]): Tally {
  const found = tally();
  const tools = new Set<string>();
  for (const item of items) {
    if (item.kind === 'error') throw new Error(item.error.message);
    if (item.kind === 'crashed') continue;
    found.runs += 1;
    if (item.kind === 'trace' && item.trace.metadata.success) found.successes += 1;
    const { derived } = item.provenance as Provenance;
    for (const step of item.trace.steps) {
      const origin = derived.find(
        ({ step_id, field }) => field === 'type' && step_id === step.step_id,
      );
      const type = origin?.field === 'type' ? origin.recorded_as : step.type;
      const source = step['kp:source'] as StepSource | undefined;
      if (type === 'thought') found.thoughts += 1;
      if (type === 'tool_call') found.calls += 1;
      if (type === 'observation' && source?.role === undefined) found.results += 1;
      if (source?.role === 'user') found.userTurns += 1;
      if (source?.error !== undefined) found.errors += 1;
      if (step.tool !== undefined) tools.add(step.tool.name);
    }
  }
  found.tools = [...tools].sort();
  return found;
}

/** Counts the observations that are errors judging by the text alone. */
export function errorsInText(items: readonly ImportedTrace[]): number {
  const steps = items.flatMap((item) => ('trace' in item ? item.trace.steps : []));
  return steps.filter((step) => (step['kp:source'] as StepSource | undefined)?.error === 'text')
    .length;
}
