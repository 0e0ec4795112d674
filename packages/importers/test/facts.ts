import {
  type ImportedTrace,
  PROVENANCE_KEY,
  type Provenance,
  STEP_SOURCE_KEY,
} from '../src/index.ts';
import { importAll } from './read.ts';

/** What else fields of the provenance say; those of the objective and the domain have lines here. */
const ELSEWHERE = new Set(['format', 'derived', 'success', 'created_at', 'objective', 'domain']);

/**
 * All that an imported run says beside its steps' texts, a line each: when it was, whether it
 * succeeded and why, how it ended, what names it, and what each step says of itself.
 */
export function factsOf(item: ImportedTrace): string[] {
  if (item.kind === 'error') return [`error ${item.error.message}`];
  if (item.kind === 'crashed') return [`crashed ${item.reason}`];
  const { metadata, outcome, steps, ...trace } = item.trace;
  const provenance = trace[PROVENANCE_KEY] as Provenance;
  const facts: string[] = [];
  // An id has the names of the run in it, and nothing else that is to be read.
  const parts = trace.id.split(':').length - ['kp', 'trace', 'format', 'hash'].length;
  if (parts !== Object.keys(provenance.source).length) facts.push(`id ${trace.id}`);
  if (provenance.created_at !== 'unknown') {
    facts.push(`${provenance.created_at} at ${metadata.created_at}`);
  }
  if (provenance.success !== 'unknown') {
    facts.push(`${provenance.success} ${'success' in metadata ? metadata.success : 'unlabelled'}`);
  }
  if (metadata.agent_id !== undefined) facts.push(`agent ${metadata.agent_id}`);
  if (metadata.framework !== undefined) facts.push(`framework ${metadata.framework}`);
  if (provenance.domain === 'recorded') facts.push(`domain ${metadata.task_domain}`);
  const words = steps.findLast(({ type, tool }) => type !== 'observation' && tool === undefined);
  if (outcome?.result_summary !== (words?.content ?? '')) {
    facts.push(`result ${outcome?.result_summary}`);
  }
  if (provenance.confidence === 'recorded') facts.push(`confidence ${outcome?.confidence}`);
  for (const [key, value] of Object.entries(provenance)) {
    if (ELSEWHERE.has(key) || (key === 'confidence' && value !== 'given')) continue;
    facts.push(`${key} ${typeof value === 'string' ? value : JSON.stringify(value, nothingLost)}`);
  }
  for (const { step_id, latency_ms, [STEP_SOURCE_KEY]: source } of steps) {
    const said = Object.values(source ?? {}).map((value) => (value === true ? 'orphan' : value));
    if (latency_ms !== undefined) said.push(`${latency_ms} ms`);
    if (said.length > 0) facts.push(`step ${step_id}: ${said.join(', ')}`);
  }
  return facts;
}

/** A field without a value shows, which JSON leaves out. */
function nothingLost(_: string, value: unknown): unknown {
  return value === undefined ? 'no value' : value;
}

/** The facts of all runs of a recording, with nothing assumed. */
export async function factsIn(text: string): Promise<string[]> {
  return (await importAll(text)).flatMap(factsOf);
}
