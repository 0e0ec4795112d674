/** `embed` or `ready` was called on an embedder after `close`. */
export class EmbedderClosedError extends Error {
  readonly code = 'EMBEDDER_CLOSED';
  readonly expected = 'an open embedder';
  readonly received = 'a closed one';

  constructor(id: string) {
    super(`${id}: expected an open embedder, received a closed one. Create a new embedder.`);
    this.name = 'EmbedderClosedError';
  }
}
