import { importPeer } from '../optional-peer.ts';

/** The part of `@huggingface/tokenizers` that the embedder uses. */
export interface TokenizersLibrary {
  readonly Tokenizer: new (tokenizer: object, config: object) => StaticTokenizer;
}

/** A loaded tokenizer. */
export interface StaticTokenizer {
  encode(text: string, options: { add_special_tokens: boolean }): { readonly ids: number[] };
}

/**
 * Imports the optional peer.
 *
 * @throws EmbedderLoadError `DEPENDENCY_MISSING` or `DEPENDENCY_BROKEN`.
 */
export async function importTokenizers(): Promise<TokenizersLibrary> {
  const library = await importPeer(
    '@huggingface/tokenizers',
    async () => {
      try {
        return await import('@huggingface/tokenizers');
      } catch (error) {
        return Promise.reject(error);
      }
    },
    'the lexical embedder',
  );
  return library as TokenizersLibrary;
}
