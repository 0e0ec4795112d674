import type { ScoreReport } from '@knowledgepulse/sdk';
import { type ImportedTrace, type RunDetails, readRunDetails, readStepSource } from '@kp/importers';
import type { Field, RunFields } from './fields.ts';
import type { Run } from './run.ts';
import { NO_WASTE, WASTE_FIELDS, wasteCounts } from './waste-counts.ts';

export type { Field, FieldKind, FieldValue, RunFields } from './fields.ts';

/** @param run - a run with a valid trace. */
export function fieldsOf(run: Run): RunFields {
  if (run.prepared !== undefined) return run.prepared.fields;
  const { trace, provenance, file, line, format } = run;
  const tools = new Set<string>();
  let calls = 0;
  let recoveries = 0;
  let errors = 0;
  for (const step of trace.steps) {
    const { type, tool } = step;
    if (type === 'tool_call' || (type === 'error_recovery' && tool !== undefined)) calls++;
    if (type === 'error_recovery') recoveries++;
    if (readStepSource(step)?.error !== undefined) errors++;
    if (tool !== undefined) tools.add(tool.name);
  }
  const successFrom = provenance?.success ?? 'recorded';
  const known = successFrom !== 'unknown' && successFrom !== 'assumed';
  const waste = wasteCounts(trace);
  const details = detailFields(readRunDetails(trace.metadata));
  // Named field by field: with spread objects in it, an object takes several times as long to make and to convert.
  return {
    trace: trace.id,
    objective: trace.task.objective,
    task: provenance?.task ?? null,
    model: provenance?.model ?? null,
    domain: trace.metadata.task_domain,
    success: known ? trace.metadata.success : null,
    countedAs: trace.metadata.success,
    successFrom,
    grade: provenance?.grade ?? null,
    confidence: trace.outcome.confidence,
    confidenceFrom: provenance?.confidence ?? 'recorded',
    steps: trace.steps.length,
    calls,
    tools: [...tools],
    recoveries,
    errors,
    loops: waste.loops,
    repeatedCalls: waste.repeatedCalls,
    repeatedResults: waste.repeatedResults,
    revertedEdits: waste.revertedEdits,
    unresolvedErrors: waste.unresolvedErrors,
    callsAfterLastChange: waste.callsAfterLastChange,
    startedAt: provenance?.created_at === 'unknown' ? null : inUtc(trace.metadata.created_at),
    endedAt: details.endedAt,
    durationMs: details.durationMs,
    inputTokens: details.inputTokens,
    outputTokens: details.outputTokens,
    costUsd: details.costUsd,
    session: details.session,
    project: details.project,
    title: details.title,
    user: details.user,
    subAgent: provenance?.parent !== undefined,
    format,
    file,
    line,
  };
}

const WHOLE_SECONDS = 'YYYY-MM-DDThh:mm:ssZ';

/** Converts a time of a valid trace, with any offset, to UTC. */
function inUtc(time: string): string {
  // Whole seconds in UTC, as most recordings have them, need no calendar.
  if (time.length === WHOLE_SECONDS.length && time.endsWith('Z'))
    return `${time.slice(0, -1)}.000Z`;
  return new Date(time).toISOString();
}

/** Returns the fields of a crashed run. */
export function crashedFields(
  item: Extract<ImportedTrace, { kind: 'crashed' }>,
  file: string,
): RunFields {
  const { id, objective = '', success, domain, format, line, provenance } = item;
  return {
    trace: id,
    objective,
    task: provenance.task ?? null,
    model: provenance.model ?? null,
    domain,
    success,
    countedAs: success,
    successFrom: provenance.success,
    grade: provenance.grade ?? null,
    confidence: null,
    confidenceFrom: 'unknown',
    steps: 0,
    calls: 0,
    tools: [],
    recoveries: 0,
    errors: 0,
    ...NO_WASTE,
    startedAt: null,
    ...detailFields({}),
    subAgent: provenance.parent !== undefined,
    format,
    file,
    line,
  };
}

function detailFields(details: RunDetails) {
  return {
    endedAt: details.ended_at ?? null,
    durationMs: details.duration_ms ?? null,
    inputTokens: details.input_tokens ?? null,
    outputTokens: details.output_tokens ?? null,
    costUsd: details.cost_usd ?? null,
    session: details.session ?? null,
    project: details.project ?? null,
    title: details.title ?? null,
    user: details.user ?? null,
  };
}

/** Score fields in the column order of CSV. */
export const SCORE_FIELDS: readonly Field<ScoreReport>[] = [
  { name: 'score', kind: 'number', value: ({ score }) => score },
  { name: 'profile', kind: 'text', value: ({ profile }) => profile },
  { name: 'complexity', kind: 'number', value: ({ dimensions }) => dimensions.complexity },
  { name: 'novelty', kind: 'number', value: ({ dimensions }) => dimensions.novelty },
  { name: 'tool_diversity', kind: 'number', value: ({ dimensions }) => dimensions.toolDiversity },
  {
    name: 'outcome_confidence',
    kind: 'number',
    value: ({ dimensions }) => dimensions.outcomeConfidence,
  },
  { name: 'composite', kind: 'number', value: ({ composite }) => composite },
  { name: 'rules', kind: 'list', value: ({ overrides }) => overrides.map(({ rule }) => rule) },
  { name: 'novelty_source', kind: 'text', value: ({ novelty }) => novelty.source },
  { name: 'nearest', kind: 'text', value: ({ novelty }) => novelty.nearest?.key ?? null },
  {
    name: 'similarity',
    kind: 'number',
    value: ({ novelty }) => novelty.nearest?.similarity ?? null,
  },
];

/** Finds a field by its name in CSV (`success_from`) or JSON (`successFrom`). */
export function fieldNamed<Named extends { readonly name: string }>(
  fields: readonly Named[],
  text: string,
): Named | undefined {
  const plain = (name: string): string => name.replaceAll('_', '').toLowerCase();
  return fields.find(({ name }) => plain(name) === plain(text));
}

/** Run fields. */
export const RUN_FIELDS: readonly Field<RunFields>[] = [
  { name: 'trace', kind: 'text', value: ({ trace }) => trace },
  { name: 'objective', kind: 'text', value: ({ objective }) => objective },
  { name: 'task', kind: 'text', value: ({ task }) => task },
  { name: 'model', kind: 'text', value: ({ model }) => model },
  { name: 'domain', kind: 'text', value: ({ domain }) => domain },
  { name: 'success', kind: 'boolean', value: ({ success }) => success },
  { name: 'counted_as', kind: 'boolean', value: ({ countedAs }) => countedAs },
  { name: 'success_from', kind: 'text', value: ({ successFrom }) => successFrom },
  { name: 'grade', kind: 'number', value: ({ grade }) => grade },
  { name: 'confidence', kind: 'number', value: ({ confidence }) => confidence },
  { name: 'confidence_from', kind: 'text', value: ({ confidenceFrom }) => confidenceFrom },
  { name: 'steps', kind: 'number', value: ({ steps }) => steps },
  { name: 'calls', kind: 'number', value: ({ calls }) => calls },
  { name: 'tools', kind: 'list', value: ({ tools }) => tools },
  { name: 'recoveries', kind: 'number', value: ({ recoveries }) => recoveries },
  { name: 'errors', kind: 'number', value: ({ errors }) => errors },
  ...WASTE_FIELDS,
  { name: 'started_at', kind: 'time', value: ({ startedAt }) => startedAt },
  { name: 'ended_at', kind: 'time', value: ({ endedAt }) => endedAt },
  { name: 'duration_ms', kind: 'number', value: ({ durationMs }) => durationMs },
  { name: 'input_tokens', kind: 'number', value: ({ inputTokens }) => inputTokens },
  { name: 'output_tokens', kind: 'number', value: ({ outputTokens }) => outputTokens },
  { name: 'cost_usd', kind: 'number', value: ({ costUsd }) => costUsd },
  { name: 'session', kind: 'text', value: ({ session }) => session },
  { name: 'project', kind: 'text', value: ({ project }) => project },
  { name: 'title', kind: 'text', value: ({ title }) => title },
  { name: 'sub_agent', kind: 'boolean', value: ({ subAgent }) => subAgent },
  { name: 'user', kind: 'text', value: ({ user }) => user },
  { name: 'format', kind: 'text', value: ({ format }) => format },
  { name: 'file', kind: 'text', value: ({ file }) => file },
  { name: 'line', kind: 'number', value: ({ line }) => line },
];
