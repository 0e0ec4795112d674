import { describeValue } from '@kp/foundation';
import { TraceValidationError } from './errors.ts';
import { createIssue } from './issues.ts';
import { type ParseTraceOptions, parseTrace } from './parse.ts';
import {
  KP_CONTEXT,
  type PrivacyLevel,
  type ReasoningTrace,
  type ReasoningTraceStep,
  type StepType,
  type Visibility,
} from './reasoning-trace.ts';

/** A step as it is recorded; `step_id` is its place when left out. */
export interface NewStep {
  /** Its place, from 0. */
  readonly step_id?: number;
  /** What the step is. */
  readonly type: StepType;
  /** What was said or shown. */
  readonly content?: string;
  /** The tool that was called. */
  readonly tool?: ReasoningTraceStep['tool'];
  /** What the tool was given. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** What came of it. */
  readonly output_summary?: string;
  /** How long it took, in milliseconds, at least 0. */
  readonly latency_ms?: number;
  /** Further fields of the step, kept as they are. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** What a run is known by. The first four say what it is worth; all else has a default. */
export interface NewTrace {
  /** What the run was to do. */
  readonly objective: string;
  /** What it did, in order. */
  readonly steps: readonly NewStep[];
  /** Whether it did what it was to do. */
  readonly success: boolean;
  /** How sure the agent, or whoever judged, is of the outcome, in [0, 1]. */
  readonly confidence: number;
  /** Left out: empty. */
  readonly resultSummary?: string;
  /** Picks the weight profile; `default`. */
  readonly domain?: string;
  /** An ISO 8601 date-time with an offset, or a Date; now. */
  readonly createdAt?: string | Date;
  /** Starts with `kp:trace:`. Left out: made from the content. */
  readonly id?: string;
  /** Which agent it was. */
  readonly agentId?: string;
  /** What the agent was built with. */
  readonly framework?: string;
  /** Such as `kp:skill:review:1.0.0`. */
  readonly sourceSkill?: string;
  /** JSON Schema of what the task takes. */
  readonly inputSchema?: Record<string, unknown>;
  /** `private`. */
  readonly visibility?: Visibility;
  /** `private`. */
  readonly privacyLevel?: PrivacyLevel;
  /** 0: not rated. */
  readonly qualityScore?: number;
  /** Further fields of the metadata, kept as they are. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/**
 * A trace of a run, with all that a trace needs beside what the run is known by.
 *
 * The id is made from the content, the date not among it: the same run has the same id, on every
 * machine.
 *
 * @param run - what it is known by.
 * @throws {@link TraceValidationError} when something is missing, is not valid or has no such name.
 */
export function createTrace(run: NewTrace, options?: ParseTraceOptions): ReasoningTrace {
  refuseUnknown(run);
  const trace = {
    '@context': KP_CONTEXT,
    '@type': 'ReasoningTrace',
    id: run.id ?? 'kp:trace:to-be-made',
    ...given({ source_skill: run.sourceSkill }),
    metadata: {
      ...run.extra,
      created_at: dateTimeOf(run.createdAt ?? new Date()),
      task_domain: run.domain ?? 'default',
      success: run.success,
      quality_score: run.qualityScore ?? 0,
      visibility: run.visibility ?? 'private',
      privacy_level: run.privacyLevel ?? 'private',
      ...given({ agent_id: run.agentId, framework: run.framework }),
    },
    task: { objective: run.objective, ...given({ input_schema: run.inputSchema }) },
    steps: stepsOf(run.steps),
    outcome: { result_summary: run.resultSummary ?? '', confidence: run.confidence },
  };
  const valid = parseTrace(trace, options);
  if (run.id === undefined) valid.id = idOf(valid);
  return valid;
}

const NAMES: readonly string[] = [
  ...['objective', 'steps', 'success', 'confidence', 'resultSummary', 'domain', 'createdAt', 'id'],
  ...['agentId', 'framework', 'sourceSkill', 'inputSchema', 'visibility', 'privacyLevel'],
  ...['qualityScore', 'extra'],
];

/** A name that is not known is a misspelt one, and its default would be taken silently. */
function refuseUnknown(run: unknown): void {
  if (typeof run !== 'object' || run === null || Array.isArray(run)) {
    throw new TraceValidationError([createIssue([], 'an object', describeValue(run))]);
  }
  const unknown = Object.keys(run).filter((name) => !NAMES.includes(name));
  const [first, ...rest] = unknown.map((name) =>
    createIssue([name], `one of ${NAMES.join(', ')}`, 'an unknown field'),
  );
  if (first !== undefined) throw new TraceValidationError([first, ...rest]);
}

/** Without the fields that were left out. */
function given(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function dateTimeOf(date: string | Date): unknown {
  // A date that is none is refused by the schema, as any other text is.
  return date instanceof Date ? (date.toJSON() ?? String(date)) : date;
}

function stepsOf(steps: unknown): unknown {
  if (!Array.isArray(steps)) return steps;
  return steps.map((step: unknown, index) => {
    if (typeof step !== 'object' || step === null) return step;
    const { extra, ...fields } = step as NewStep;
    return { step_id: index, ...extra, ...given(fields) };
  });
}

function idOf(trace: ReasoningTrace): string {
  const { created_at: _, ...metadata } = trace.metadata;
  const { source_skill, task, steps, outcome } = trace;
  return `kp:trace:${fingerprint(canonical({ source_skill, metadata, task, steps, outcome }))}`;
}

/** JSON with sorted keys, and with a word for each value that JSON has none for. */
function canonical(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (value instanceof Date) return `Date ${value.toJSON()}`;
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, field]) => `${JSON.stringify(key)}:${canonical(field)}`);
  return `{${fields.join()}}`;
}

// Odd constants of high disorder: the fractions of the golden ratio, √2, √3 and √5 in 32 bits.
const LANES = [0x9e3779b1, 0x6a09e667, 0xbb67ae85, 0x3c6ef373] as const;

/**
 * 128 bits of a text as 32 hexadecimal digits: four multiplicative hashes, each finished with the
 * next. To tell texts apart, not to keep anybody from making two that are equal.
 */
function fingerprint(text: string): string {
  const lanes = Uint32Array.from(LANES, (lane) => lane ^ text.length);
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    for (let lane = 0; lane < 4; lane++) {
      const mixed = Math.imul((lanes[lane] as number) ^ code, LANES[lane] as number);
      lanes[lane] = mixed ^ (mixed >>> 15);
    }
  }
  for (let round = 0; round < 8; round++) {
    const lane = round % 4;
    const mixed = (lanes[lane] as number) + (lanes[(lane + 1) % 4] as number);
    lanes[lane] = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b) ^ round;
  }
  return Array.from(lanes, (lane) => lane.toString(16).padStart(8, '0')).join('');
}
