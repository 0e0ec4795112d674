import { type FinishedRun, finishRun, type ReadRun, type RunFacts } from './finished-run.ts';
import { createLiveScorer, type LiveScorer, type LiveScorerOptions } from './live-scorer.ts';
import { readAs } from './read-run.ts';

/** What the stream of messages does not hold. */
export interface ClaudeAgentFacts extends RunFacts {
  /** The `prompt` of `query`, where it is a text. */
  readonly prompt?: string;
}

/**
 * The trace of a run of the Claude Agent SDK, from all messages that `query` gave. A `result` that is
 * an error is a recorded failure; one that is none says only that the run came to its end.
 *
 * @param messages - all of them, in order.
 * @param facts - what the stream does not hold.
 * @throws `IntegrationError` `OBJECT_UNKNOWN` when they are no such messages.
 */
export async function fromClaudeAgent(
  messages: readonly unknown[],
  facts: ClaudeAgentFacts = {},
): Promise<FinishedRun> {
  return finishRun(readMessages(messages), withPrompt(facts));
}

/** A live scorer for the Claude Agent SDK. */
export interface ClaudeAgentScorer extends LiveScorer {
  /**
   * Hands on every message of `query` as it comes, and scores the run when the stream ends: by its
   * end, by an error, which is thrown on, or because the reader left it.
   *
   * @param messages - what `query` gives.
   * @param facts - what the stream does not hold.
   */
  scored<Message>(
    messages: AsyncIterable<Message>,
    facts?: ClaudeAgentFacts,
  ): AsyncGenerator<Message, void, undefined>;
}

// Of one run; what comes after is handed on and not kept.
const MOST_MESSAGES = 100_000;

/** A live scorer: `for await (const message of live.scored(query({ prompt }), { prompt })) …`. */
export function createClaudeAgentScorer(options: LiveScorerOptions): ClaudeAgentScorer {
  const live = createLiveScorer(options);
  return Object.assign(live, {
    async *scored<Message>(
      messages: AsyncIterable<Message>,
      facts: ClaudeAgentFacts = {},
    ): AsyncGenerator<Message, void, undefined> {
      const seen: unknown[] = [];
      const keep = live.guard((message: unknown) => {
        if (seen.length < MOST_MESSAGES && !isPartial(message)) seen.push(message);
      });
      let failed = false;
      try {
        for await (const message of messages) {
          keep(message);
          yield message;
        }
      } catch (error) {
        failed = true;
        throw error;
      } finally {
        if (seen.length > 0) {
          live.add(
            () => readMessages(seen),
            () => ({ success: failed ? false : undefined, ...withPrompt(facts) }),
          );
        }
      }
    },
  });
}

/** Pieces of a message that comes whole later. */
function isPartial(message: unknown): boolean {
  return Reflect.get(Object(message), 'type') === 'stream_event';
}

function withPrompt({ prompt, ...facts }: ClaudeAgentFacts): RunFacts {
  return { ...facts, objective: facts.objective ?? prompt };
}

function readMessages(messages: readonly unknown[]): ReadRun {
  return readAs('claude-code', 'Claude Agent SDK messages', messages);
}
