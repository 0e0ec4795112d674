import type { ErrorSign } from '@kp/schema';
import { RecordingError } from '../errors/errors.ts';
import type { RecordedStep } from '../importer/importer.ts';
import {
  asString,
  excessOf,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../json/json-value.ts';
import { countOmitted, createOmitted, type Omitted } from './content.ts';

/** What a conversation gives for a run. */
export interface ConversationRun {
  /** The user's first words; undefined without any. */
  readonly objective: string | undefined;
  /** What was said, done and shown, in order. */
  readonly steps: readonly RecordedStep[];
  /** Parts without text, by kind. */
  readonly omitted: Readonly<Record<string, number>>;
}

/** Collects the steps of a run message by message, by rules that all chat formats share. */
export interface Conversation {
  /** Parts without text so far, by kind. */
  readonly omitted: Omitted;
  /**
   * What the agent said or thought; blank text is no step.
   *
   * @param content - the text.
   * @param isThinking - the model thought it rather than said it.
   */
  addThought(content: string, isThinking?: boolean): void;
  /**
   * Steps that are ready: calls and results.
   *
   * @param steps - in their order.
   */
  addSteps(...steps: readonly RecordedStep[]): void;
  /**
   * What someone other than the agent said. The user's first words are the objective, later ones
   * an observation, as are those of any other role.
   *
   * @param content - the text.
   * @param role - `user` when left out.
   */
  addUserMessage(content: string, role?: string): void;
  /**
   * Counts a part that is left out, by its kind.
   *
   * @param kind - such as `image`.
   */
  omit(kind: string): void;
  /** What was collected, as a run. */
  finish(): ConversationRun;
}

/** Starts with nothing said. */
export function createConversation(): Conversation {
  const steps: RecordedStep[] = [];
  const omitted = createOmitted();
  let objective: string | undefined;
  return {
    omitted,
    addThought(content, isThinking = false) {
      if (content.trim() === '') return;
      const thought = { kind: 'thought', content } as const;
      steps.push(isThinking ? { ...thought, thinking: true } : thought);
    },
    addSteps: (...more) => void steps.push(...more),
    addUserMessage(content, role = 'user') {
      const isObjective = role === 'user' && objective === undefined && content.trim() !== '';
      if (isObjective) objective = content;
      else steps.push({ kind: 'observation', content, role });
    },
    omit: (kind) => countOmitted(omitted, kind),
    finish: () => ({ objective, steps, omitted: Object.fromEntries(omitted) }),
  };
}

/** Levels of arguments that still fit a trace, which is valid up to 64. */
const MOST_LEVELS = 48;

/**
 * A tool call. Arguments that are an object, or a text that is the JSON of one, become the input;
 * any others, and ones nested without end, stay visible as the step's content, as recorded.
 *
 * @param name - the tool's.
 * @param callArguments - as recorded.
 * @param callId - pairs the call with its result.
 * @param path - where the call stands, for the error's message.
 * @throws {@link RecordingError} when the tool has no name.
 */
export function toolCall(
  name: JsonValue | undefined,
  callArguments: JsonValue | undefined,
  callId: JsonValue | undefined,
  path: string,
): Extract<RecordedStep, { kind: 'tool_call' }> {
  if (typeof name !== 'string' || name === '') {
    throw new RecordingError(path, 'the name of a tool', name);
  }
  return { kind: 'tool_call', name, callId: asString(callId), ...readArguments(callArguments) };
}

/**
 * What a tool answered.
 *
 * @param content - the text of the answer.
 * @param callId - the call that it answers.
 * @param error - how an error was seen; left out where there is none.
 */
export function toolResult(
  content: string,
  callId: JsonValue | undefined,
  error?: ErrorSign,
): Extract<RecordedStep, { kind: 'observation' }> {
  return { kind: 'observation', content, callId: asString(callId), error };
}

/**
 * What stands in place of an answer when the user refused the call.
 *
 * @param content - what the agent was told.
 * @param callId - the call that was refused.
 */
export function toolRejection(
  content: string,
  callId: JsonValue | undefined,
): Extract<RecordedStep, { kind: 'observation' }> {
  return { kind: 'observation', content, callId: asString(callId), feedback: 'rejected' };
}

function readArguments(recorded: JsonValue | undefined): { input?: JsonObject; content?: string } {
  if (recorded === undefined || recorded === null || recorded === '') return {};
  if (typeof recorded !== 'string') {
    return isInput(recorded) ? { input: recorded } : { content: JSON.stringify(recorded) };
  }
  const parsed = parseObject(recorded);
  return parsed === undefined ? { content: recorded } : { input: parsed };
}

function isInput(value: JsonValue): value is JsonObject {
  return isJsonObject(value) && excessOf(value, MOST_LEVELS) === undefined;
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: JsonValue = JSON.parse(text);
    return isInput(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
