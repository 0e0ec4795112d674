import type { ErrorSign } from './importer.ts';

/** The key under which an imported trace carries its {@link Provenance}. */
export const PROVENANCE_KEY = 'kp:provenance';

/** The key under which a step of an imported trace carries its {@link StepSource}. */
export const STEP_SOURCE_KEY = 'kp:source';

/** Where each field of an imported trace comes from. */
export interface Provenance {
  /** The name of the recording's format. */
  readonly format: string;
  /** What the recording calls the run. */
  readonly source: Readonly<Record<string, string | number>>;
  /**
   * `graded`: a recorded {@link Provenance.grade} between 0 and 1 stands for it. `assumed`: nothing
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
  /** The model that the recording names. */
  readonly model?: string;
  /** Where the confidence comes from; `assumed`: 0.5, as nothing says it. */
  readonly confidence: 'recorded' | 'given' | 'assumed';
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
  /** The names of the run that started this one, an agent's subagent. */
  readonly parent?: Readonly<Record<string, string | number>>;
  /** How it ended, where someone else ended it. */
  readonly ending?: 'interrupted';
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

/** What the recording says of a step beyond what a trace has fields for. */
export interface StepSource {
  /** Pairs a call with its observation. */
  readonly call_id?: string;
  /** On an observation that is not the result of a tool. */
  readonly role?: string;
  /** On an observation that reports an error: how that was seen. */
  readonly error?: ErrorSign;
  /** On the result of a tool for which the recording has no call. */
  readonly orphan?: true;
}
