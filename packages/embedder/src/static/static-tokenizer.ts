import { importOptional } from '@kp/foundation';

/** The part of `@huggingface/tokenizers` that the embedder uses. */
export interface TokenizersLibrary {
  /** Takes the contents of `tokenizer.json` and of its configuration. */
  readonly Tokenizer: new (
    tokenizer: object,
    config: object,
  ) => StaticTokenizer;
}

/** A loaded tokenizer. */
export interface StaticTokenizer {
  /**
   * Splits a text into tokens.
   *
   * @param text - of any length.
   */
  encode(text: string, options: { add_special_tokens: boolean }): { readonly ids: number[] };
}

/** The fields of `tokenizer.json` that are used. */
export interface TokenizerJson {
  readonly model?: {
    readonly vocab?: unknown;
    readonly unk_token?: string | null;
    readonly unk_id?: number;
  };
  readonly added_tokens?: readonly { readonly id: number }[];
}

/** Texts are tokenized in pieces of at most this many characters, to bound memory and time. */
const PIECE_LENGTH = 16_384;

/**
 * Imports the optional dependency.
 *
 * @throws DependencyError `DEPENDENCY_MISSING` or `DEPENDENCY_BROKEN`.
 */
export async function importTokenizers(): Promise<TokenizersLibrary> {
  const library: unknown = await importOptional({
    packages: '@huggingface/tokenizers',
    neededFor: 'the static embedder',
    // Bundlers accept an import that cannot be resolved only inside `try`.
    load: async () => {
      try {
        return await import('@huggingface/tokenizers');
      } catch (error) {
        return Promise.reject(error);
      }
    },
    alternative: 'use the lexical embedder',
  });
  return library as TokenizersLibrary;
}

/** The content of `tokenizer.json`, from bytes, text or parsed JSON. */
export function readTokenizerJson(source: Uint8Array | string | object): TokenizerJson {
  const text = ArrayBuffer.isView(source) ? new TextDecoder().decode(source) : source;
  const value: unknown = typeof text === 'string' ? JSON.parse(text) : text;
  if (typeof value !== 'object' || value === null) throw new TypeError(`${typeof value}`);
  return value as TokenizerJson;
}

/** WordPiece and BPE keep a map from token to id, Unigram a list of tokens. */
export function vocabularySize({ model, added_tokens: added = [] }: TokenizerJson): number {
  const { vocab } = model ?? {};
  if (Array.isArray(vocab))
    return added.reduce((size, { id }) => Math.max(size, id + 1), vocab.length);
  const ids = new Set<unknown>(Object.values(vocab ?? {}));
  for (const { id } of added) ids.add(id);
  return ids.size;
}

/** Token ids of a text, piece by piece, without special and unknown tokens. */
export type Tokenize = (text: string) => Generator<number[]>;

export function tokenizeWith(tokenizer: StaticTokenizer, json: TokenizerJson): Tokenize {
  const unknown = unknownToken(json);
  return function* tokenize(text) {
    for (let from = 0; from < text.length; ) {
      let end = text.length;
      if (end - from > PIECE_LENGTH) {
        const space = text.lastIndexOf(' ', from + PIECE_LENGTH);
        end = space > from ? space : from + PIECE_LENGTH;
      }
      const { ids } = tokenizer.encode(text.slice(from, end), { add_special_tokens: false });
      yield unknown === undefined ? ids : ids.filter((id) => id !== unknown);
      from = end;
    }
  };
}

function unknownToken({ model }: TokenizerJson): number | undefined {
  if (model?.unk_id !== undefined) return model.unk_id;
  const vocab = model?.vocab as Record<string, number> | undefined;
  return typeof model?.unk_token === 'string' ? vocab?.[model.unk_token] : undefined;
}
