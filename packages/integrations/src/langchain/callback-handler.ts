import type { LiveScorer } from '../live/live-scorer.ts';

/** A callback handler: `graph.invoke(input, { callbacks: [handler] })`. */
export interface LangChainHandler extends Pick<LiveScorer, 'flush' | 'pending' | 'setOutcome'> {
  /** The name of the handler in messages of LangChain. */
  readonly name: string;
  /** LangChain calls the handler before it goes on, so that none of its calls comes late. */
  readonly awaitHandlers: boolean;
  /** A chain starts; one without a parent starts or resumes a run. */
  handleChainStart(
    chain: unknown,
    inputs: unknown,
    runId: string,
    parentRunId?: string,
    tags?: unknown,
    metadata?: unknown,
  ): void;
  /** A chain has ended; the outermost one ends the run. */
  handleChainEnd(outputs: unknown, runId: string): void;
  /** A chain has failed; the outermost one ends the run. */
  handleChainError(error: unknown, runId: string): void;
  /** A chat model is called. */
  handleChatModelStart(llm: unknown, messages: unknown, runId: string, parentRunId?: string): void;
  /** A completion model is called. */
  handleLLMStart(llm: unknown, prompts: unknown, runId: string, parentRunId?: string): void;
  /** A model has answered. */
  handleLLMEnd(output: unknown, runId: string): void;
  /** A model has failed. */
  handleLLMError(error: unknown, runId: string): void;
  /** A tool is called. */
  handleToolStart(
    tool: unknown,
    input: string,
    runId: string,
    parentRunId?: string,
    tags?: unknown,
    metadata?: unknown,
    runName?: string,
    toolCallId?: string,
  ): void;
  /** A tool has answered. */
  handleToolEnd(output: unknown, runId: string): void;
  /** A tool has failed. */
  handleToolError(error: unknown, runId: string): void;
  /** A retriever is called; it is a tool of the run. */
  handleRetrieverStart(
    retriever: unknown,
    query: string,
    runId: string,
    parentRunId?: string,
    tags?: unknown,
    metadata?: unknown,
    name?: string,
  ): void;
  /** A retriever has answered. */
  handleRetrieverEnd(documents: unknown, runId: string): void;
  /** A retriever has failed. */
  handleRetrieverError(error: unknown, runId: string): void;
}
