import { type RecordedStep, toJson } from '@kp/importers';
import { answerOf, answerSteps, callsOf, lastQuestion, toolName } from './langchain-messages.ts';
import { createLiveScorer, type LiveScorer, type LiveScorerOptions } from './live/live-scorer.ts';
import { type FinishedRun, finishRun, type ReadRun, type RunFacts } from './run/finished-run.ts';
import { overloaded } from './run/integration-error.ts';
import { asText, isObject, toolCallStep } from './run/json-values.ts';
import { readAs } from './run/read-run.ts';

/**
 * The trace of messages of LangChain or LangGraph: the state that a graph gives back, or its
 * `messages`. Of a thread that goes on, all turns; a callback handler sees the last one alone.
 *
 * @param state - of a graph, or an array of messages.
 * @param facts - what the messages do not hold.
 * @throws `IntegrationError` `OBJECT_UNKNOWN` when it holds no messages of LangChain.
 */
export async function fromLangChain(state: unknown, facts: RunFacts = {}): Promise<FinishedRun> {
  return finishRun(readAs('langchain', 'LangChain messages', state), facts);
}

/** A callback handler: `graph.invoke(input, { callbacks: [handler] })`. */
export interface LangChainHandler extends Pick<LiveScorer, 'flush' | 'pending'> {
  /** What LangChain calls it in its messages. */
  readonly name: string;
  /**
   * A chain begins; one without a parent begins a run.
   *
   * @param chain - what LangChain knows of it.
   * @param inputs - what it was given.
   * @param runId - its own.
   * @param parentRunId - that of the chain around it.
   */
  handleChainStart(chain: unknown, inputs: unknown, runId: string, parentRunId?: string): void;
  /**
   * A chain has ended; the outermost one ends the run.
   *
   * @param outputs - what it gave.
   * @param runId - the chain's.
   */
  handleChainEnd(outputs: unknown, runId: string): void;
  /**
   * A chain has failed; the outermost one ends the run.
   *
   * @param error - what it threw.
   * @param runId - the chain's.
   */
  handleChainError(error: unknown, runId: string): void;
  /**
   * A chat model is asked.
   *
   * @param llm - what LangChain knows of the model.
   * @param messages - what it is asked.
   * @param runId - the call's.
   * @param parentRunId - that of the chain around it.
   */
  handleChatModelStart(llm: unknown, messages: unknown, runId: string, parentRunId?: string): void;
  /**
   * A model of texts is asked.
   *
   * @param llm - what LangChain knows of the model.
   * @param prompts - what it is asked.
   * @param runId - the call's.
   * @param parentRunId - that of the chain around it.
   */
  handleLLMStart(llm: unknown, prompts: unknown, runId: string, parentRunId?: string): void;
  /**
   * A model has answered.
   *
   * @param output - what it answered.
   * @param runId - the call's.
   */
  handleLLMEnd(output: unknown, runId: string): void;
  /**
   * A tool is called.
   *
   * @param tool - what LangChain knows of it.
   * @param input - the arguments, as text.
   * @param runId - the call's.
   * @param parentRunId - that of the chain around it.
   * @param tags - what the caller tagged it with.
   * @param metadata - what the caller noted.
   * @param runName - the tool's name, where LangChain gives it.
   */
  handleToolStart(
    tool: unknown,
    input: string,
    runId: string,
    parentRunId?: string,
    tags?: unknown,
    metadata?: unknown,
    runName?: string,
  ): void;
  /**
   * A tool has answered.
   *
   * @param output - what it answered.
   * @param runId - the call's.
   */
  handleToolEnd(output: unknown, runId: string): void;
  /**
   * A tool has failed.
   *
   * @param error - what it threw.
   * @param runId - the call's.
   */
  handleToolError(error: unknown, runId: string): void;
}

/** Options of {@link createLangChainHandler}. */
export interface LangChainHandlerOptions extends LiveScorerOptions {
  /** What is known of a run beside its events, by the inputs of its outermost chain. */
  readonly factsOf?: (inputs: unknown) => RunFacts;
}

/** What is seen of one run, from its outermost chain to that one's end. */
interface OpenRun {
  readonly id: string;
  readonly inputs: unknown;
  readonly createdAt: string;
  readonly steps: RecordedStep[];
  /** Calls that a model asked for and no tool has begun. */
  readonly asked: string[];
  failed: boolean;
}

const MOST_RUNS = 1000;
const MOST_STEPS = 100_000;

/**
 * Scores every invocation of a chain, an agent or a graph when it ends: its own steps, and the last
 * thing that the user asked for as its objective, so that a thread is never compared with its own
 * beginning. At most 1,000 runs are held open; the oldest is let go.
 */
export function createLangChainHandler(options: LangChainHandlerOptions): LangChainHandler {
  const live = createLiveScorer(options);
  const runs = new Map<string, OpenRun>();
  const outermost = new Map<string, string>();

  function begin(
    runId: string,
    parentRunId: string | undefined,
    inputs: unknown,
  ): OpenRun | undefined {
    const root = parentRunId === undefined ? undefined : outermost.get(parentRunId);
    outermost.set(runId, root ?? runId);
    if (root !== undefined) return runs.get(root);
    const createdAt = new Date().toISOString();
    const run = { id: runId, inputs, createdAt, steps: [], asked: [], failed: false };
    runs.set(runId, run);
    makeRoom();
    return run;
  }
  const makeRoom = live.guard(() => {
    const oldest = runs.keys().next();
    if (runs.size <= MOST_RUNS || oldest.done) return;
    forget(oldest.value);
    throw overloaded(`${MOST_RUNS} open runs`, 'Runs that never end keep their place.');
  });
  function forget(root: string): void {
    runs.delete(root);
    for (const [runId, its] of outermost) if (its === root) outermost.delete(runId);
  }
  function runOf(runId: string): OpenRun | undefined {
    return runs.get(outermost.get(runId) ?? '');
  }
  function push(run: OpenRun | undefined, ...steps: RecordedStep[]): void {
    if (run !== undefined && run.steps.length < MOST_STEPS) run.steps.push(...steps);
  }
  function end(runId: string): void {
    const run = runs.get(runId);
    if (run === undefined) {
      outermost.delete(runId);
      return;
    }
    forget(runId);
    if (run.steps.length === 0) return;
    live.add(
      () => readRun(run),
      () => ({ success: run.failed ? false : undefined, ...options.factsOf?.(run.inputs) }),
    );
  }

  return {
    name: 'knowledgepulse',
    flush: live.flush,
    get pending() {
      return live.pending;
    },
    handleChainStart: live.guard((_chain, inputs, runId, parentRunId) => {
      begin(runId, parentRunId, inputs);
    }),
    handleChainEnd: live.guard((_outputs, runId) => end(runId)),
    handleChainError: live.guard((_error, runId) => {
      const run = runs.get(runId);
      if (run !== undefined) run.failed = true;
      end(runId);
    }),
    handleChatModelStart: live.guard((_llm, messages, runId, parentRunId) => {
      begin(runId, parentRunId, { messages: Array.isArray(messages) ? messages[0] : messages });
    }),
    handleLLMStart: live.guard((_llm, prompts, runId, parentRunId) => {
      begin(runId, parentRunId, { input: Array.isArray(prompts) ? prompts[0] : prompts });
    }),
    handleLLMEnd: live.guard((output, runId) => {
      const run = runOf(runId);
      const message = answerOf(output);
      push(run, ...answerSteps(message));
      run?.asked.push(...callsOf(message).map(({ name }) => asText(name)));
      end(runId);
    }),
    handleToolStart: live.guard((tool, input, runId, parentRunId, _tags, _metadata, runName) => {
      const run = begin(runId, parentRunId, { input });
      const name = runName ?? toolName(tool);
      const place = run?.asked.indexOf(name) ?? -1;
      if (place >= 0) run?.asked.splice(place, 1);
      else push(run, toolCallStep(name, input, runId));
    }),
    handleToolEnd: live.guard((output, runId) => {
      const id: unknown = isObject(output) ? output.tool_call_id : undefined;
      const content = isObject(output) && 'content' in output ? output.content : output;
      const failed = isObject(output) && output.status === 'error';
      push(runOf(runId), {
        kind: 'observation',
        content: asText(content),
        callId: typeof id === 'string' ? id : runId,
        error: failed ? 'flag' : undefined,
      });
      end(runId);
    }),
    handleToolError: live.guard((error, runId) => {
      push(runOf(runId), {
        kind: 'observation',
        content: asText(error),
        callId: runId,
        error: 'flag',
      });
      end(runId);
    }),
  };
}

function readRun(run: OpenRun): ReadRun {
  return {
    format: 'langchain',
    run: {
      source: { run: run.id },
      objective: lastQuestion(run.inputs),
      createdAt: run.createdAt,
      framework: 'langchain',
      steps: run.steps,
      record: toJson(run.inputs) ?? null,
    },
  };
}
