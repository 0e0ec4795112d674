import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts';
import type { ErrorSign, RecordedStep } from '../recorded-run.ts';
import { RecordingError } from '../recording-error.ts';
import { countOmitted, type Omitted, readText } from './content.ts';

/** Where one format of chat messages differs from another. */
export interface ChatDialect {
  /** The calls of an assistant's message. */
  readonly readCalls: (message: JsonObject, path: string) => RecordedStep[];
  /** Whether the result of a tool reports an error. */
  readonly findError: (message: JsonObject, text: string) => ErrorSign | undefined;
  /** Which call a result answers. */
  readonly readCallId: (message: JsonObject) => string | undefined;
  /** The thoughts of an assistant's message, blank ones allowed. Left out: reasoning, content. */
  readonly readThoughts?: (message: JsonObject, omitted: Omitted) => string[];
  /** Kind under which a message that is not the agent's is left out; undefined to keep it. */
  readonly leaveOut?: (message: JsonObject) => string | undefined;
}

/** What a conversation gives for a run. */
export interface ChatRun {
  readonly objective?: string;
  readonly steps: RecordedStep[];
  readonly omitted: Omitted;
}

/**
 * Reads messages with roles. The first user message with text is the objective, later ones are
 * observations; instructions (roles `system` and `developer`) are no part of the run.
 *
 * @throws {@link RecordingError} when a message is not an object with a role.
 */
export function readChat(
  messages: readonly JsonValue[],
  path: string,
  dialect: ChatDialect,
): ChatRun {
  const steps: RecordedStep[] = [];
  const omitted: Omitted = {};
  let objective: string | undefined;
  for (const [index, message] of messages.entries()) {
    const place = `${path}[${index}]`;
    if (!isJsonObject(message)) throw new RecordingError(place, 'a message', message);
    const { role } = message;
    if (typeof role !== 'string') throw new RecordingError(`${place}.role`, 'a text', role);
    const leftOut = dialect.leaveOut?.(message);
    if (leftOut !== undefined) {
      countOmitted(omitted, leftOut);
    } else if (role === 'assistant') {
      steps.push(...readOwnSteps(message, place, dialect, omitted));
    } else if (role === 'tool' || role === 'function') {
      steps.push(readResult(message, dialect, omitted));
    } else if (role !== 'system' && role !== 'developer') {
      const content = readText(message.content, omitted);
      if (role === 'user' && objective === undefined && content.trim() !== '') objective = content;
      else steps.push({ kind: 'observation', content, role });
    }
  }
  return { ...(objective === undefined ? {} : { objective }), steps, omitted };
}

function readOwnSteps(
  message: JsonObject,
  path: string,
  dialect: ChatDialect,
  omitted: Omitted,
): RecordedStep[] {
  const thoughts = (dialect.readThoughts ?? readThoughts)(message, omitted)
    .filter((content) => content.trim() !== '')
    .map((content): RecordedStep => ({ kind: 'thought', content }));
  const calls = dialect.readCalls(message, path);
  if (thoughts.length === 0 && calls.length === 0) countOmitted(omitted, 'empty_message');
  return [...thoughts, ...calls];
}

function readThoughts(message: JsonObject, omitted: Omitted): string[] {
  const reasoning = message.reasoning_content ?? message.reasoning;
  const content = readText(message.content, omitted);
  const said = content === '' ? readText(message.refusal, omitted) : content;
  return [typeof reasoning === 'string' ? reasoning : '', said];
}

function readResult(message: JsonObject, dialect: ChatDialect, omitted: Omitted): RecordedStep {
  const content = readText(message.content, omitted);
  const callId = dialect.readCallId(message);
  const error = dialect.findError(message, content);
  return {
    kind: 'observation',
    content,
    ...(callId === undefined ? {} : { callId }),
    ...(error === undefined ? {} : { error }),
  };
}
