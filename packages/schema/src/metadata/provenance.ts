/** The key under which an imported trace carries its {@link Provenance}. */
export const PROVENANCE_KEY = 'kp:provenance';

/** Where each field of an imported trace comes from. */
export interface Provenance {
  /** The name of the recording's format. */
  readonly format: string;
  /** What the recording calls the run. */
  readonly source: Readonly<Record<string, string | number>>;
  /**
   * `graded`: a recorded {@link Provenance.grade} between 0 and 1 decides it. `assumed`: nothing
   * says it, and the caller chose what such runs count as. `unknown`: nothing says it.
   */
  readonly success: 'recorded' | 'graded' | 'labelled' | 'given' | 'assumed' | 'unknown';
  /** The recorded grade, in [0, 1], with success `graded`. */
  readonly grade?: number;
  /** Where several fields could be the verdict and none goes before the others: which. */
  readonly verdict_choices?: readonly string[];
  /** Which field of the recording the verdict is, such as `reward` or `scores.match.value`. */
  readonly verdict?: string;
  /** What the recording calls the task that the run is an attempt at; other runs share it. */
  readonly task?: string;
  /** `file`: the path of the recording names the task. Left out: the recording does. */
  readonly task_from?: 'file';
  /**
   * A digest of the instructions that the recording keeps beside the messages: runs that share it and
   * the name of the task attempt one task.
   */
  readonly instructions?: string;
  /** A digest of the system prompt and the tools: runs that share it are of one benchmark. */
  readonly setting?: string;
  /** The model that the recording names. */
  readonly model?: string;
  /** `graded`: it is the grade of the run. `assumed`: 0.5, as nothing says it. */
  readonly confidence: 'recorded' | 'graded' | 'given' | 'assumed';
  /** Where the domain comes from; `assumed`: `default`, as nothing says it. */
  readonly domain: 'recorded' | 'given' | 'assumed';
  /** Where the objective comes from. */
  readonly objective: 'recorded' | 'given' | 'unknown';
  /** `assumed_utc`: recorded without an offset. `unknown`: not recorded, the epoch stands there. */
  readonly created_at: 'recorded' | 'assumed_utc' | 'unknown';
  /** The fields of steps that are not in the recording. */
  readonly derived: readonly DerivedField[];
  /** What the harness had added to the texts and was taken off, by kind and how often. */
  readonly stripped?: Readonly<Record<string, number>>;
  /** What a tool is in a shell, where there is one: the shell, or each program in it. */
  readonly shell_tools?: 'one' | 'by_command';
  /** What people noted about the run, such as the step at which it went wrong. */
  readonly annotations?: Readonly<Record<string, string | number>>;
  /** The names of the run that started this one, an agent's subagent. */
  readonly parent?: Readonly<Record<string, string | number>>;
  /**
   * How the run ended if it did not complete: the user interrupted it, an error ended it, it was
   * aborted, it reached a limit on its steps, tokens or time, or no end of it was seen.
   */
  readonly ending?: 'interrupted' | 'error' | 'aborted' | 'limit' | 'unfinished';
  /**
   * How much of which kind was not read: parts without text, which are left out or stand as `[kind]`,
   * and attributes of a resource from the 101st on.
   */
  readonly omitted?: Readonly<Record<string, number>>;
}

/** A field of a step that was derived, and from what. */
export type DerivedField =
  | {
      readonly step_id: number;
      readonly field: 'type';
      readonly value: 'error_recovery';
      readonly recorded_as: 'thought' | 'tool_call';
      /** The observations whose errors this step answers. */
      readonly from: readonly number[];
      /** How each of those errors was seen: the line that says it, or `flag`. */
      readonly signs: readonly string[];
    }
  | {
      readonly step_id: number;
      readonly field: 'content';
      /** A verdict on the run, which would give the label away, was cut off the text's end. */
      readonly value: 'verdict_removed';
    };

const SUCCESS: readonly unknown[] = [
  'recorded',
  'graded',
  'labelled',
  'given',
  'assumed',
  'unknown',
] satisfies Provenance['success'][];

const ENDINGS: readonly unknown[] = [
  'interrupted',
  'error',
  'aborted',
  'limit',
  'unfinished',
] satisfies Provenance['ending'][];

/** Which values each field may have that a provenance need not have. */
const OPTIONAL: Readonly<Record<string, (value: unknown) => boolean>> = {
  grade: (value) => typeof value === 'number' && value >= 0 && value <= 1,
  verdict_choices: isTexts,
  verdict: isText,
  task: isText,
  task_from: (value) => value === 'file',
  instructions: isText,
  setting: isText,
  model: isText,
  stripped: isAmounts,
  shell_tools: (value) => value === 'one' || value === 'by_command',
  parent: isNames,
  annotations: isNames,
  ending: (value) => ENDINGS.includes(value),
  omitted: isAmounts,
};

/**
 * Reads the provenance of a trace. Anyone may have written the file: a field with a value that it
 * cannot have is left out, and one that says where a value comes from then counts as `recorded`,
 * as it does in a trace without a provenance.
 *
 * @param trace - a trace, valid or not.
 * @returns undefined if nothing says where success comes from.
 */
export function readProvenance(trace: object): Provenance | undefined {
  const value: unknown = Reflect.get(trace, PROVENANCE_KEY);
  if (!isObject(value) || !SUCCESS.includes(value.success)) return undefined;
  const { format, source, success } = value;
  const known = Object.entries(value).filter(([name, field]) => OPTIONAL[name]?.(field));
  return {
    format: isText(format) ? format : 'kp',
    source: isNames(source) ? source : {},
    success: success as Provenance['success'],
    ...Object.fromEntries(known),
    confidence: oneOf(['recorded', 'graded', 'given', 'assumed'], value.confidence),
    domain: oneOf(['recorded', 'given', 'assumed'], value.domain),
    objective: oneOf(['recorded', 'given', 'unknown'], value.objective),
    created_at: oneOf(['recorded', 'assumed_utc', 'unknown'], value.created_at),
    derived: Array.isArray(value.derived) ? value.derived.flatMap(readDerived) : [],
  };
}

/**
 * A copy of a trace that carries a provenance.
 *
 * @param trace - not changed.
 * @param provenance - where its fields come from.
 */
export function withProvenance<Trace extends object>(trace: Trace, provenance: Provenance): Trace {
  return { ...trace, [PROVENANCE_KEY]: provenance };
}

function readDerived(field: unknown): DerivedField[] {
  if (!isObject(field)) return [];
  const { step_id, value, recorded_as, from, signs } = field;
  if (typeof step_id !== 'number') return [];
  if (field.field === 'content' && value === 'verdict_removed') {
    return [{ step_id, field: 'content', value }];
  }
  const isStep = recorded_as === 'thought' || recorded_as === 'tool_call';
  if (field.field !== 'type' || value !== 'error_recovery' || !isStep) return [];
  const steps = Array.isArray(from) ? from.filter((step) => typeof step === 'number') : [];
  const seen = isTexts(signs) ? signs : [];
  return [{ step_id, field: 'type', value, recorded_as, from: steps, signs: seen }];
}

function oneOf<Choice extends string>(choices: readonly Choice[], value: unknown): Choice {
  return choices.find((choice) => choice === value) ?? (choices[0] as Choice);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isText);
}

function isNames(value: unknown): value is Record<string, string | number> {
  return (
    isObject(value) &&
    Object.values(value).every((name) => typeof name === 'string' || typeof name === 'number')
  );
}

function isAmounts(value: unknown): boolean {
  return isObject(value) && Object.values(value).every((amount) => typeof amount === 'number');
}
