import type { LiveScorer } from '../live/live-scorer.ts';

/** A callback handler: `graph.invoke(input, { callbacks: [handler] })`. */
export interface LangChainHandler extends Pick<LiveScorer, 'flush' | 'pending' | 'setOutcome'> {
  /** Name of the handler in LangChain's messages. */
  readonly name: string;
  /** True: LangChain waits for the handler, so events arrive in order. */
  readonly awaitHandlers: boolean;
  /**
   * A chain starts; one without a parent starts or resumes a run.
   *
   * @param chain - description of the chain.
   * @param inputs - input values of the chain.
   * @param runId - LangChain's id of this call.
   * @param parentRunId - id of the call that made this one, if any.
   * @param tags - tags of the call.
   * @param metadata - metadata of the call. Its `thread_id` identifies an interrupted run to resume.
   */
  handleChainStart(
    chain: unknown,
    inputs: unknown,
    runId: string,
    parentRunId?: string,
    tags?: unknown,
    metadata?: unknown,
  ): void;
  /**
   * A chain has ended; the outermost one ends the run.
   *
   * @param outputs - output values of the chain.
   * @param runId - LangChain's id of this call.
   */
  handleChainEnd(outputs: unknown, runId: string): void;
  /**
   * A chain has failed; the outermost one ends the run.
   *
   * @param error - what the chain threw.
   * @param runId - LangChain's id of this call.
   */
  handleChainError(error: unknown, runId: string): void;
  /**
   * A chat model is called.
   *
   * @param llm - description of the model.
   * @param messages - batches of messages for the model.
   * @param runId - LangChain's id of this call.
   * @param parentRunId - id of the call that made this one, if any.
   */
  handleChatModelStart(llm: unknown, messages: unknown, runId: string, parentRunId?: string): void;
  /**
   * A completion model is called.
   *
   * @param llm - description of the model.
   * @param prompts - texts for the model.
   * @param runId - LangChain's id of this call.
   * @param parentRunId - id of the call that made this one, if any.
   */
  handleLLMStart(llm: unknown, prompts: unknown, runId: string, parentRunId?: string): void;
  /**
   * A model has answered.
   *
   * @param output - the answer, with its generations.
   * @param runId - LangChain's id of this call.
   */
  handleLLMEnd(output: unknown, runId: string): void;
  /**
   * A model has failed.
   *
   * @param error - what the model threw.
   * @param runId - LangChain's id of this call.
   */
  handleLLMError(error: unknown, runId: string): void;
  /**
   * A tool is called.
   *
   * @param tool - description of the tool.
   * @param input - arguments as text.
   * @param runId - LangChain's id of this call.
   * @param parentRunId - id of the call that made this one, if any.
   * @param tags - tags of the call.
   * @param metadata - metadata of the call.
   * @param runName - name of the tool, if LangChain gives it.
   * @param toolCallId - id of the call in the message of the model.
   */
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
  /**
   * A tool has answered.
   *
   * @param output - result of the tool.
   * @param runId - LangChain's id of this call.
   */
  handleToolEnd(output: unknown, runId: string): void;
  /**
   * A tool has failed.
   *
   * @param error - what the tool threw.
   * @param runId - LangChain's id of this call.
   */
  handleToolError(error: unknown, runId: string): void;
  /**
   * A retriever is called. It counts as a tool of the run.
   *
   * @param retriever - description of the retriever.
   * @param query - text to search for.
   * @param runId - LangChain's id of this call.
   * @param parentRunId - id of the call that made this one, if any.
   * @param tags - tags of the call.
   * @param metadata - metadata of the call.
   * @param name - name of the retriever, if LangChain gives it.
   */
  handleRetrieverStart(
    retriever: unknown,
    query: string,
    runId: string,
    parentRunId?: string,
    tags?: unknown,
    metadata?: unknown,
    name?: string,
  ): void;
  /**
   * A retriever has answered.
   *
   * @param documents - the documents found.
   * @param runId - LangChain's id of this call.
   */
  handleRetrieverEnd(documents: unknown, runId: string): void;
  /**
   * A retriever has failed.
   *
   * @param error - what the retriever threw.
   * @param runId - LangChain's id of this call.
   */
  handleRetrieverError(error: unknown, runId: string): void;
}
