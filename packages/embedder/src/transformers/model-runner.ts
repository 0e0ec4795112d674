import type { Embedding, EmbedOptions } from '../embedder.ts';

/** A model that embeds, in this thread or in another. Closed once, and not used after. */
export interface ModelRunner {
  ready(): Promise<void>;
  embed(texts: readonly string[], options: EmbedOptions): Promise<Embedding[]>;
  close(): Promise<void>;
}
