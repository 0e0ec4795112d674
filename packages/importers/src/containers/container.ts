/** A wrapper around one recording or an archive of several, and how to read it. */
export interface Container {
  /** Used in messages: `lz4`. */
  readonly name: string;
  /**
   * Detects the container from the first bytes of an input.
   *
   * @param head - the first 512 bytes, or the whole input if it is shorter.
   */
  detect(head: Uint8Array): boolean;
  /**
   * Yields the contained files one at a time. A contained file may be a container itself.
   *
   * @param chunks - all bytes of the input; closed if reading ends early.
   */
  open(chunks: AsyncGenerator<Uint8Array>): AsyncIterable<ContainedFile>;
}

/** A file inside a container. */
export interface ContainedFile {
  /** Undefined if the container wraps one recording. */
  readonly name?: string;
  /** The file's bytes. Read each file to its end before the next. */
  readonly chunks: AsyncIterable<Uint8Array>;
}
