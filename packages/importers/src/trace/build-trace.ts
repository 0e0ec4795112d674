import { KP_CONTEXT, PROVENANCE_KEY, type Provenance, type ReasoningTrace } from '@kp/schema';
import { RecordingError } from '../errors/errors.ts';
import type { RecordedRun } from '../importer/importer.ts';
import { checkImportOptions, type ImportOptions } from '../rules/import-options.ts';
import {
  createRunRules,
  type RunDecision,
  type RunPlace,
  type RunRules,
} from '../rules/run-rules.ts';
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
/** What a trace may have: the limit `maxSteps` of its validation, unless that is set otherwise. */
export const MOST_STEPS = 100_000;

/**
 * Makes a trace of a recorded run.
 *
 * @param format - the name that goes into id and provenance.
 * @param run - as an importer reads it.
 * @throws {@link RecordingError} when the run has no step, or more than a trace may have.
 * @throws RangeError, TypeError for options that {@link importTraces} refuses.
 */
export async function buildTrace(
  format: string,
  run: RecordedRun,
  options: ImportOptions = {},
): Promise<BuiltTrace> {
  checkImportOptions(options);
  return buildByRules(format, run, createRunRules(options), { file: undefined, line: 1 });
}

/** As {@link buildTrace}, by the rules of an import that is under way. */
export async function buildByRules(
  format: string,
  recorded: RecordedRun,
  rules: RunRules,
  place: RunPlace,
): Promise<BuiltTrace> {
  const { length } = recorded.steps;
  if (length > MOST_STEPS) {
    throw new RecordingError(runName(recorded), `at most ${MOST_STEPS} steps`, length);
  }
  const run = rules.prepare(recorded);
  if (run.steps.length === 0) {
    throw new RecordingError(runName(run), 'at least one step after the objective', []);
  }
  const { steps, derived } = toTraceSteps(run.steps);
  const id = await traceId(format, recorded);
  const decision = rules.decide(run, id, format, place);
  const objective = run.objective?.trim() ? run.objective : undefined;
  const time = readTime(run.createdAt);
  const metadata: UnlabelledTrace['metadata'] = {
    created_at: time.value,
    task_domain: decision.domain ?? run.domain ?? 'default',
    quality_score: 0,
    visibility: 'private',
    privacy_level: 'private',
  };
  if (decision.success !== undefined) metadata.success = decision.success;
  if (run.agentId !== undefined) metadata.agent_id = run.agentId;
  if (run.framework !== undefined) metadata.framework = run.framework;
  const provenance: Provenance = {
    format,
    source: run.source,
    ...describeSuccess(decision),
    ...describeRun(run),
    confidence: from(decision.confidence, run.confidence),
    domain: from(decision.domain, run.domain),
    objective: objectiveSource(objective, decision),
    created_at: time.from,
    derived,
  };
  const trace: UnlabelledTrace = {
    '@context': KP_CONTEXT,
    '@type': 'ReasoningTrace',
    id,
    metadata,
    task: { objective: objective ?? UNKNOWN_OBJECTIVE },
    steps,
    outcome: {
      result_summary: run.resultSummary ?? lastWords(run),
      confidence: decision.confidence ?? run.confidence ?? ASSUMED_CONFIDENCE,
    },
    [PROVENANCE_KEY]: provenance,
  };
  return decision.success === undefined
    ? { kind: 'unlabelled', trace, provenance }
    : { kind: 'trace', trace: trace as ReasoningTrace, provenance };
}

/** What a trace's provenance says of its success. */
export function describeSuccess(
  decision: RunDecision,
): Pick<Provenance, 'success' | 'grade' | 'verdict' | 'verdict_choices'> {
  const { from: success, grade, verdict, choices } = decision;
  const described: Writable<ReturnType<typeof describeSuccess>> = { success };
  if (grade !== undefined) described.grade = grade;
  if (verdict !== undefined) described.verdict = verdict;
  if (choices !== undefined) described.verdict_choices = choices;
  return described;
}

function describeRun(run: RecordedRun): Partial<Provenance> {
  const described: Partial<Writable<Provenance>> = {};
  if (run.task !== undefined) described.task = run.task;
  if (run.model !== undefined) described.model = run.model;
  if (run.shellTools !== undefined) described.shell_tools = run.shellTools;
  if (run.parent !== undefined) described.parent = run.parent;
  if (run.ending !== undefined) described.ending = run.ending;
  if (hasEntries(run.stripped)) described.stripped = run.stripped;
  if (hasEntries(run.omitted)) described.omitted = run.omitted;
  return described;
}

function hasEntries<Counts extends object>(counts: Counts | undefined): counts is Counts {
  return counts !== undefined && Object.keys(counts).length > 0;
}

function from(given: unknown, recorded: unknown): 'given' | 'recorded' | 'assumed' {
  if (given !== undefined) return 'given';
  return recorded === undefined ? 'assumed' : 'recorded';
}

function readTime(recorded: string | undefined): { value: string; from: Provenance['created_at'] } {
  const hasOffset = recorded !== undefined && /(?:Z|[+-]\d{2}:?\d{2})$/i.test(recorded);
  const time = new Date(recorded === undefined || hasOffset ? (recorded ?? '') : `${recorded}Z`);
  const value = Number.isNaN(time.getTime()) ? '' : time.toISOString();
  // Years of other than four digits are written with a sign, which no trace takes.
  if (!/^\d/.test(value)) return { value: UNKNOWN_TIME, from: 'unknown' };
  return { value, from: hasOffset ? 'recorded' : 'assumed_utc' };
}

function lastWords(run: RecordedRun): string {
  const thought = run.steps.findLast((step) => step.kind === 'thought');
  const text = thought?.content ?? '';
  return text.length <= SUMMARY_CHARACTERS ? text : `${text.slice(0, SUMMARY_CHARACTERS - 1)}…`;
}

function objectiveSource(
  objective: string | undefined,
  { objectiveIsGiven }: RunDecision,
): Provenance['objective'] {
  if (objective === undefined) return 'unknown';
  return objectiveIsGiven ? 'given' : 'recorded';
}

function runName(run: RecordedRun): string {
  const names = Object.entries(run.source).map(([key, value]) => `${key} ${value}`);
  return names.length === 0 ? 'run' : `run (${names.join(', ')})`;
}

const MOST_NAME_CHARACTERS = 80;

/**
 * The id of an imported trace. It depends on the run alone, not on the file, the options or the
 * time: importing it again gives the same. The names are there to be read; what tells runs apart
 * are 64 bits of the SHA-256 of the names as recorded, the objective and the steps.
 */
async function traceId(format: string, run: RecordedRun): Promise<string> {
  const names = Object.values(run.source).map((name) => readable(String(name)));
  const { source, objective, createdAt, model, steps } = run;
  const content = [source, objective ?? null, createdAt ?? null, model ?? null, steps];
  const bytes = new TextEncoder().encode(JSON.stringify(content));
  const digest = await sha256(bytes);
  const hash = Array.from(digest.subarray(0, 8), (byte) => byte.toString(16).padStart(2, '0'));
  return ['kp:trace', format, ...names, hash.join('')].join(':');
}

/** At once where the runtime can: a job for a thread of its own takes ten times as long. */
async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const node = globalThis.process?.getBuiltinModule?.('node:crypto');
  if (node !== undefined) return node.createHash('sha256').update(bytes).digest();
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}

/** Letters of any script stay; whatever else an id does not take becomes `_`. */
function readable(name: string): string {
  return [...name]
    .slice(0, MOST_NAME_CHARACTERS)
    .join('')
    .replaceAll(/[^\p{L}\p{M}\p{N}_./@+-]+/gu, '_');
}
