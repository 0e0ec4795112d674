/// <reference lib="esnext.disposable" preserve="true" />

/** Text to vectors. Everything that embeds, ours or a user's own, is one of these. */
export interface Embedder {
  /**
   * Names the model, its number format and its pooling: two embedders with one id give the same
   * vector for the same text, two with different ids must not share a memory.
   */
  readonly id: string;
  /** Length of every vector. */
  readonly dimensions: number;
  /**
   * Embeds texts; the result has one entry a text, in the order of the texts.
   *
   * Vectors have length 1, but for a text with nothing in it (empty or all white space), which gives
   * the zero vector. Each vector is the caller's to keep and to change.
   *
   * @param texts - any number of them, of any length.
   * @throws TypeError, as a rejection, when an entry is not a string.
   */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Embedding[]>;
  /** Loads whatever the first `embed` would load. */
  ready?(): Promise<void>;
  /** Frees the model. May be called more than once; `embed` is refused afterwards. */
  close?(): Promise<void>;
  /** The same as `close`, for `await using`. */
  [Symbol.asyncDispose]?(): Promise<void>;
}

/** Options of one `embed` call. */
export interface EmbedOptions {
  /** Gives up waiting: the promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal;
  /**
   * Where the parts of each text begin, as ascending indices into the string, one list a text: the
   * steps of a trace. An embedder that must cut a text cuts there when it can; others ignore them.
   */
  readonly boundaries?: readonly (readonly number[] | undefined)[];
}

/** The vector of one text. */
export interface Embedding {
  /** `[dimensions]`, of length 1, or all zeros for an empty text. */
  readonly vector: Float32Array;
  /** Whether part of the text was left out because it was longer than the model can read. */
  readonly truncated: boolean;
  /** Tokens that were read, where the embedder counts them. */
  readonly tokens?: number;
  /** Pieces that the text was read in, where the embedder cuts long texts into pieces. */
  readonly chunks?: number;
}

/** An embedder that has all that one may have, with `close` for `await using` where the runtime knows it. */
export function closable(
  embedder: Omit<Required<Embedder>, typeof Symbol.asyncDispose>,
): Required<Embedder> {
  const whole = embedder as Required<Embedder>;
  if (Symbol.asyncDispose !== undefined) whole[Symbol.asyncDispose] = () => embedder.close();
  return whole;
}
