import { RecordingError } from '../errors.ts';
import type { ErrorSign, RecordedStep } from '../importer.ts';
import {
  asString,
  isJsonObject,
  isNestedDeeper,
  type JsonObject,
  type JsonValue,
} from '../json/json-value.ts';
import { countOmitted, createOmitted, type Omitted } from './content.ts';

/** What a conversation gives for a run. */
export interface ConversationRun {
  readonly objective: string | undefined;
  readonly steps: readonly RecordedStep[];
  readonly omitted: Readonly<Record<string, number>>;
}

/** Collects the steps of a run message by message, by rules that all chat formats share. */
export interface Conversation {
  readonly omitted: Omitted;
  /** What the agent said or thought; blank text is no step. */
  addThought(content: string): void;
  /** Steps that are ready: calls and results. */
  addSteps(...steps: readonly RecordedStep[]): void;
  /**
   * What someone other than the agent said. The user's first words are the objective, later ones
   * an observation, as are those of any other role.
   *
   * @param role - `user` when left out.
   */
  addUserMessage(content: string, role?: string): void;
  /** Counts a part that is left out, by its kind. */
  omit(kind: string): void;
  finish(): ConversationRun;
}

/** Starts with nothing said. */
export function createConversation(): Conversation {
  const steps: RecordedStep[] = [];
  const omitted = createOmitted();
  let objective: string | undefined;
  return {
    omitted,
    addThought(content) {
      if (content.trim() !== '') steps.push({ kind: 'thought', content });
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

/** What a tool answered. */
export function toolResult(
  content: string,
  callId: JsonValue | undefined,
  error?: ErrorSign,
): Extract<RecordedStep, { kind: 'observation' }> {
  return { kind: 'observation', content, callId: asString(callId), error };
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
  return isJsonObject(value) && !isNestedDeeper(value, MOST_LEVELS);
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: JsonValue = JSON.parse(text);
    return isInput(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
