import { KP_CONTEXT, type ReasoningTrace } from '@kp/schema';
import { RecordingError } from './errors.ts';
import type { ImportOptions, Label, RunFacts } from './import-options.ts';
import type { RecordedRun } from './importer.ts';
import { PROVENANCE_KEY, type Provenance } from './provenance.ts';
import { traceId } from './trace-id.ts';
import { toTraceSteps } from './trace-steps.ts';

/** `Type` without one of its fields; unlike Omit, it keeps the others beside an index signature. */
type Without<Type, Field> = { [Key in keyof Type as Exclude<Key, Field>]: Type[Key] };

type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** A trace of which nothing says whether the run succeeded, so that it has no such field. */
export type UnlabelledTrace = Without<ReasoningTrace, 'metadata'> & {
  metadata: Without<ReasoningTrace['metadata'], 'success'>;
};

/** A trace, and whether it is complete. */
export type BuiltTrace = { provenance: Provenance } & (
  | { kind: 'trace'; trace: ReasoningTrace }
  | { kind: 'unlabelled'; trace: UnlabelledTrace }
);

const ASSUMED_CONFIDENCE = 0.5;
const UNKNOWN_OBJECTIVE = '(no objective recorded)';
const UNKNOWN_TIME = '1970-01-01T00:00:00.000Z';
const SUMMARY_CHARACTERS = 1000;

/**
 * Makes a trace of a recorded run.
 *
 * @throws {@link RecordingError} when the run has no step.
 */
export async function buildTrace(
  format: string,
  run: RecordedRun,
  options: ImportOptions,
): Promise<BuiltTrace> {
  if (run.steps.length === 0) {
    throw new RecordingError(runName(run), 'at least one step after the objective', []);
  }
  const { steps, derived } = toTraceSteps(run.steps);
  const id = await traceId(format, run, steps);
  const facts = runFacts(format, run);
  const label = findLabel(id, run, options);
  const success = decideSuccess(run, label, facts, options);
  const confidence = label?.confidence ?? options.confidence;
  const givenDomain = typeof options.domain === 'function' ? options.domain(facts) : options.domain;
  const time = readTime(run.createdAt);
  const objective = run.objective?.trim() ? run.objective : undefined;
  const provenance: Writable<Provenance> = {
    format,
    source: run.source,
    success: success.from,
    confidence: from(confidence, run.confidence),
    domain: from(givenDomain, run.domain),
    objective: objective === undefined ? 'unknown' : 'recorded',
    created_at: time.from,
    derived,
  };
  if (Object.keys(run.omitted ?? {}).length > 0) provenance.omitted = run.omitted ?? {};
  const metadata: UnlabelledTrace['metadata'] = {
    created_at: time.value,
    task_domain: givenDomain ?? run.domain ?? 'default',
    quality_score: 0,
    visibility: 'private',
    privacy_level: 'private',
  };
  if (success.value !== undefined) metadata.success = success.value;
  if (run.agentId !== undefined) metadata.agent_id = run.agentId;
  if (run.framework !== undefined) metadata.framework = run.framework;
  const trace: UnlabelledTrace = {
    '@context': KP_CONTEXT,
    '@type': 'ReasoningTrace',
    id,
    metadata,
    task: { objective: objective ?? UNKNOWN_OBJECTIVE },
    steps,
    outcome: {
      result_summary: run.resultSummary ?? lastWords(run),
      confidence: confidence ?? run.confidence ?? ASSUMED_CONFIDENCE,
    },
    [PROVENANCE_KEY]: provenance,
  };
  return success.value === undefined
    ? { kind: 'unlabelled', trace, provenance }
    : { kind: 'trace', trace: trace as ReasoningTrace, provenance };
}

function runFacts(format: string, run: RecordedRun): RunFacts {
  const tools = new Set<string>();
  for (const step of run.steps) if (step.kind === 'tool_call') tools.add(step.name);
  const { source, objective, record } = run;
  return { format, source, objective, tools: [...tools], record };
}

function findLabel(id: string, run: RecordedRun, options: ImportOptions): Label | undefined {
  const { labels } = options;
  if (labels === undefined) return undefined;
  const names = Object.values(run.source).map(String);
  return labels.get(id) ?? labels.get(names.join('/')) ?? labels.get(names[0] ?? '');
}

function decideSuccess(
  run: RecordedRun,
  label: Label | undefined,
  facts: RunFacts,
  options: ImportOptions,
): { value: boolean | undefined; from: Provenance['success'] } {
  if (label?.success !== undefined) return { value: label.success, from: 'labelled' };
  const given = typeof options.success === 'function' ? options.success(facts) : options.success;
  if (given !== undefined) return { value: given, from: 'given' };
  if (run.success !== undefined) return { value: run.success, from: 'recorded' };
  return { value: options.assumeSuccess, from: 'unknown' };
}

function from(given: unknown, recorded: unknown): 'given' | 'recorded' | 'assumed' {
  if (given !== undefined) return 'given';
  return recorded === undefined ? 'assumed' : 'recorded';
}

function readTime(recorded: string | undefined): { value: string; from: Provenance['created_at'] } {
  const hasOffset = recorded !== undefined && /(?:Z|[+-]\d{2}:?\d{2})$/i.test(recorded);
  const time = new Date(recorded === undefined || hasOffset ? (recorded ?? '') : `${recorded}Z`);
  if (Number.isNaN(time.getTime())) return { value: UNKNOWN_TIME, from: 'unknown' };
  return { value: time.toISOString(), from: hasOffset ? 'recorded' : 'assumed_utc' };
}

function lastWords(run: RecordedRun): string {
  const thought = run.steps.findLast((step) => step.kind === 'thought');
  const text = thought?.content ?? '';
  return text.length <= SUMMARY_CHARACTERS ? text : `${text.slice(0, SUMMARY_CHARACTERS - 1)}…`;
}

function runName(run: RecordedRun): string {
  const names = Object.entries(run.source).map(([key, value]) => `${key} ${value}`);
  return names.length === 0 ? 'run' : `run (${names.join(', ')})`;
}
