import { collectMessages, readMessages } from './claude-agent/read-messages.ts';
import { watchStream } from './claude-agent/scored-stream.ts';
import { createLiveScorer, type LiveScorer, type LiveScorerOptions } from './live/live-scorer.ts';
import { type FinishedRun, finishRun, type RunFacts } from './run/finished-run.ts';
import { IntegrationError } from './run/integration-error.ts';
import { withDetails } from './run/run-details.ts';
import { endingOf, type RunEnding } from './run/run-ending.ts';

/** What the stream of messages does not hold. */
export interface ClaudeAgentFacts extends RunFacts {
  /** The `prompt` of `query`, if it is a text. */
  readonly prompt?: string;
}

/**
 * The trace of a run of the Claude Agent SDK, from all messages that `query` gave. A `result` that is
 * an error is a recorded failure; any other result says only that the run completed. Messages without
 * a result count as a failure, and the provenance says `unfinished`.
 *
 * @param messages - all of them, in order.
 * @param facts - what the stream does not hold.
 * @throws `IntegrationError` `OBJECT_UNKNOWN` when no message of the SDK is among them.
 */
export async function fromClaudeAgent(
  messages: readonly unknown[],
  facts: ClaudeAgentFacts = {},
): Promise<FinishedRun> {
  return finishRun(readMessages(await messages), withPrompt(facts));
}

/** A live scorer for the Claude Agent SDK. */
export interface ClaudeAgentScorer extends LiveScorer {
  /**
   * Returns the same stream, which passes every message on as it comes. The run is scored when the
   * stream ends, when it throws, and when the reader leaves it. The methods of a query, such as
   * `interrupt()`, work as before.
   *
   * @param messages - the result of `query`.
   * @param facts - what the stream does not hold.
   */
  scored<Stream extends AsyncIterable<unknown>>(messages: Stream, facts?: ClaudeAgentFacts): Stream;
}

/** A live scorer: `for await (const message of live.scored(query({ prompt }), { prompt })) …`. */
export function createClaudeAgentScorer(options: LiveScorerOptions): ClaudeAgentScorer {
  const live = createLiveScorer(options);
  const warned = new Set<string>();
  const warnOnce = (type: string): void => {
    if (warned.has(type)) return;
    warned.add(type);
    live.report(unknownMessage(type));
  };
  return Object.assign(live, {
    scored<Stream extends AsyncIterable<unknown>>(
      messages: Stream,
      facts: ClaudeAgentFacts = {},
    ): Stream {
      const startedAt = performance.now();
      const collected = collectMessages(warnOnce, new Date().toISOString());
      return watchStream(messages, {
        message: live.guard((message: unknown) => collected.add(message)),
        end({ isComplete, thrown }) {
          const ending = thrown === undefined ? silentEnd(isComplete) : endingOf(thrown.error);
          const duration_ms = Math.round(performance.now() - startedAt);
          live.add(
            () => withDetails(collected.read(ending), { duration_ms }),
            () => withPrompt(facts),
          );
        },
      });
    },
  });
}

/** The ending of a stream that ended without a result and without an error. */
function silentEnd(isComplete: boolean): RunEnding {
  return isComplete
    ? { kind: 'unfinished', reason: 'The stream ended without a result.' }
    : { kind: 'aborted', reason: 'The reader left the stream before its end.' };
}

function unknownMessage(type: string): IntegrationError {
  return new IntegrationError('EVENT_UNKNOWN', {
    subject: 'Claude Agent SDK message',
    expected: 'a type that this version knows',
    received: type === '' ? 'a message without a type' : type,
    remedy: 'the message is counted in the provenance and not read; reported once for each type',
  });
}

function withPrompt({ prompt, ...facts }: ClaudeAgentFacts): RunFacts {
  return { ...facts, objective: facts.objective ?? prompt };
}
