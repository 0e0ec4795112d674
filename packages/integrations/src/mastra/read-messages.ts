import type { ReadRun } from '../run/finished-run.ts';
import { asText, isObject } from '../run/json-values.ts';
import { readAs } from '../run/read-run.ts';
import { createUsageCount, namesIn, withDetails } from '../run/run-details.ts';
import { endingOf, type RunEnding } from '../run/run-ending.ts';

/** What Mastra passes to a scorer of an agent; also the `scoringData` of a result. */
export interface MastraRun {
  /** What the agent was given. */
  readonly input?: unknown;
  /** The messages that it answered with. */
  readonly output: unknown;
}

/**
 * The run in messages that a memory keeps, in what Mastra passes to a scorer, or in a result of
 * `generate` or `stream`.
 *
 * @throws `IntegrationError` `OBJECT_UNKNOWN` when it holds no such messages.
 */
export function readMastra(value: unknown): ReadRun {
  if (!isObject(value)) return readMessages(value);
  const usage = createUsageCount();
  usage.add(value.totalUsage ?? value.usage);
  return withDetails(readParts(value), usage.read());
}

function readParts(value: Readonly<Record<string, unknown>>): ReadRun {
  const { scoringData, messages, finishReason } = value;
  const data = isObject(scoringData) ? scoringData : value;
  if ('output' in data && !('finishReason' in data)) {
    const run = { input: data.input, output: data.output };
    return { ...readMessages(messagesOf(run)), ending: endingOfResult(value) };
  }
  // A result without scoringData has the messages of its own turn.
  const list = Array.isArray(messages) && finishReason !== undefined ? lastTurn(messages) : value;
  return { ...readMessages(list), ending: endingOfResult(value) };
}

/** The question and the answers, without the turns before them. */
function messagesOf({ input, output }: MastraRun): unknown[] {
  const asked: unknown = isObject(input) ? input.inputMessages : input;
  return [...lastTurn(Array.isArray(asked) ? asked : []), ...(Array.isArray(output) ? output : [])];
}

function readMessages(messages: unknown): ReadRun {
  const threaded: unknown = Array.isArray(messages) ? messages.find(hasThread) : undefined;
  return withDetails(readAs('mastra', 'Mastra messages', messages), namesIn(threaded));
}

/** Messages that a memory keeps name their thread. */
export function hasThread(message: unknown): boolean {
  return isObject(message) && typeof message.threadId === 'string';
}

/** How a run ended, by its finish reason or its error. */
export function endingOfResult(result: Readonly<Record<string, unknown>>): RunEnding | undefined {
  const { error, finishReason, tripwire } = result;
  if (error !== undefined && error !== null) return endingOf(error);
  const stopped = isObject(tripwire) ? asText(tripwire.reason ?? '') : '';
  if (stopped !== '') return { kind: 'error', reason: stopped };
  switch (finishReason) {
    case 'error':
    case 'content-filter':
    case 'tripwire':
      return { kind: 'error', reason: `The run ended with ${finishReason}.` };
    case 'aborted':
      return { kind: 'aborted', reason: 'The call was aborted.' };
    case 'length':
      return { kind: 'limit', reason: 'The answer reached the limit on tokens.' };
    case 'tool-calls': {
      const reason = 'A limit on steps ended the run after a tool call, before the model answered.';
      return { kind: 'limit', reason, isAssumed: true };
    }
    case 'suspended':
      return { kind: 'unfinished', reason: 'The run is suspended.' };
    default:
      return undefined;
  }
}

/** From the last question on. */
export function lastTurn(messages: readonly unknown[]): readonly unknown[] {
  const last = messages.findLastIndex((message) => isObject(message) && message.role === 'user');
  return messages.slice(Math.max(0, last));
}
