/** What wraps recordings, or holds several of them, and how to get at those. */
export interface Container {
  /** For messages: `lz4`. */
  readonly name: string;
  /**
   * Looks at the first bytes of an input: 512, or all there are.
   *
   * @param head - the first bytes.
   */
  detect(head: Uint8Array): boolean;
  /**
   * What is inside, one after the other. What comes out may be a container again.
   *
   * @param chunks - all bytes of the input; let go of when the reading ends early.
   */
  open(chunks: AsyncGenerator<Uint8Array>): AsyncIterable<ContainedFile>;
}

/** Something inside of a container. */
export interface ContainedFile {
  /** Left out by a container that wraps one recording. */
  readonly name?: string;
  /** Its bytes; read one file to its end before the next. */
  readonly chunks: AsyncIterable<Uint8Array>;
}
