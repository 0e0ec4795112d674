import { assertType } from '@kp/foundation';
/** The key under which a step of an imported trace carries its {@link StepSource}. */
export const STEP_SOURCE_KEY = 'kp:source';

/** How an error was recognised: by a field, by the text, or by the exit code of a command. */
export type ErrorSign = 'flag' | 'text' | 'exit_code';

/** The user refused a tool call, or stopped the agent. Not an error of the agent. */
export type UserFeedback = 'rejected' | 'interrupted';

/** Facts about a step from the recording that have no field in a trace. */
export interface StepSource {
  /** Pairs a call with its observation. */
  readonly call_id?: string;
  /** On an observation that is not the result of a tool: the speaker. */
  readonly role?: string;
  /** On an observation that reports an error: how it was recognised. */
  readonly error?: ErrorSign;
  /** On an observation by which the user refused a tool call or stopped the agent. */
  readonly feedback?: UserFeedback;
  /** On a thought that the model did not say. */
  readonly thinking?: true;
  /** On the result of a tool for which the recording has no call. */
  readonly orphan?: true;
}

const ERROR_SIGNS: readonly unknown[] = ['flag', 'text', 'exit_code'] satisfies ErrorSign[];

/**
 * Reads the source of a step. Fields with invalid values are omitted.
 *
 * @param step - a step of a trace, valid or not.
 * @returns undefined if the step has no such object.
 */
export function readStepSource(step: object): StepSource | undefined {
  assertType('step', 'an object', step);
  const value: unknown = Reflect.get(step, STEP_SOURCE_KEY);
  if (typeof value !== 'object' || value === null) return undefined;
  const { call_id, role, error, feedback, thinking, orphan } = value as Record<string, unknown>;
  const source: { -readonly [Field in keyof StepSource]: StepSource[Field] } = {};
  if (typeof call_id === 'string') source.call_id = call_id;
  if (typeof role === 'string') source.role = role;
  if (ERROR_SIGNS.includes(error)) source.error = error as ErrorSign;
  if (feedback === 'rejected' || feedback === 'interrupted') source.feedback = feedback;
  if (thinking === true) source.thinking = true;
  if (orphan === true) source.orphan = true;
  return source;
}

/**
 * Sets the source of a step; a source without fields is omitted.
 *
 * @param step - changed in place.
 * @param source - the fields to set.
 */
export function writeStepSource(step: object, source: StepSource): void {
  assertType('step', 'an object', step);
  assertType('source', 'an object', source);
  if (Object.keys(source).length > 0) Reflect.set(step, STEP_SOURCE_KEY, source);
}
