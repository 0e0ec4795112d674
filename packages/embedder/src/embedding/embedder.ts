/// <reference lib="esnext.disposable" preserve="true" />

/** Converts text to vectors. Implement it for your own embedder. */
export interface Embedder {
  /**
   * Names the model, its number format and its pooling: embedders with the same id give the same
   * vector for the same text. Embedders with different ids must not share a memory.
   */
  readonly id: string;
  /** Length of every vector. */
  readonly dimensions: number;
  /**
   * The text of a trace that it wants to embed. Default: the objective and the content of every step.
   *
   * @param trace - a valid trace.
   */
  textOf?(trace: EmbeddableTrace): string;
  /**
   * Embeds texts; the result has one entry per text, in the same order.
   *
   * Vectors have length 1; an empty or blank text gives the zero vector. The caller owns each vector
   * and may change it.
   *
   * @param texts - any number of texts of any length.
   * @throws (rejects) when an entry is not a string, naming its index.
   */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Embedding[]>;
  /** Loads what the first `embed` would load. */
  ready?(): Promise<void>;
  /** Frees the model. May be called repeatedly; `embed` rejects afterwards. */
  close?(): Promise<void>;
  /** The same as `close`, for `await using`. */
  [Symbol.asyncDispose]?(): Promise<void>;
}

/** What an embedder may read of a trace. */
export interface EmbeddableTrace {
  /** What the agent was asked to do. */
  readonly task: { readonly objective: string };
  /** The steps of the run, in order. */
  readonly steps: readonly EmbeddableStep[];
}

/** What an embedder may read of a step. */
export interface EmbeddableStep {
  /** `thought`, `tool_call`, `observation` or `error_recovery`. */
  readonly type: string;
  /** The message, or the result of a tool. */
  readonly content?: string;
  /** Present on a tool call. */
  readonly tool?: { readonly name: string };
  /** The input of the tool call. */
  readonly input?: unknown;
}

/** Options of one `embed` call. */
export interface EmbedOptions {
  /** Aborts the call, which rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /**
   * Where the parts of each text begin, such as the steps of a trace: one list of ascending string
   * indices per text. An embedder that must split a text splits it there if possible.
   */
  readonly boundaries?: readonly (readonly number[] | undefined)[];
}

/** The vector of one text. */
export interface Embedding {
  /** `[dimensions]`, of length 1, or all zeros for an empty text. */
  readonly vector: Float32Array;
  /** Whether the text was longer than the model can read, so that a part of it was ignored. */
  readonly truncated: boolean;
  /** Number of tokens read, if the embedder counts them. */
  readonly tokens?: number;
  /** Number of chunks, if the embedder splits long texts. */
  readonly chunks?: number;
}

/** An embedder with resources to free. */
export type ClosableEmbedder = Required<Omit<Embedder, 'textOf'>> & Pick<Embedder, 'textOf'>;

/** Adds `await using` to an embedder, if the runtime supports it. */
export function closable(
  embedder: Omit<ClosableEmbedder, typeof Symbol.asyncDispose>,
): ClosableEmbedder {
  const whole = embedder as ClosableEmbedder;
  if (Symbol.asyncDispose !== undefined) whole[Symbol.asyncDispose] = () => embedder.close();
  return whole;
}
