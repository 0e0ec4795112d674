import { EmbedderLoadError } from '../embedder-load-error.ts';
import { readStaticFile } from './read-static-file.ts';
import { headerLength, readHeader } from './safetensors.ts';
import type { StaticEmbedderOptions } from './static-embedder-options.ts';
import { type StaticModel, staticModel } from './static-model.ts';
import type { StaticTokenizer, TokenizersLibrary } from './tokenizers-library.ts';

/** A static model with its tokenizer. */
export interface LoadedStaticModel {
  readonly model: StaticModel;
  /** Token ids of a text, without special and unknown tokens; more than `most` are not looked for. */
  tokenize(text: string, most: number): number[];
}

interface TokenizerJson {
  readonly model?: {
    readonly vocab?: unknown;
    readonly unk_token?: string | null;
    readonly unk_id?: number;
  };
  readonly added_tokens?: readonly { readonly id: number }[];
}

/** Texts are tokenized in pieces of at most this many characters, to bound memory. */
const PIECE_LENGTH = 65_536;

/**
 * Loads model and tokenizer, and checks that they belong together.
 *
 * @throws EmbedderLoadError naming the file at fault.
 */
export async function loadStaticModel(
  library: TokenizersLibrary,
  options: StaticEmbedderOptions,
  dimensions: number,
): Promise<LoadedStaticModel> {
  const { path, files, sha256 = {} } = options;
  const folder = path ?? 'files';
  const modelPath = path === undefined ? 'files.model' : `${folder}/model.safetensors`;
  const tokenizerPath = path === undefined ? 'files.tokenizer' : `${folder}/tokenizer.json`;
  const modelBytes =
    files?.model ??
    (await readStaticFile(folder, 'model.safetensors', sha256['model.safetensors']));
  const tokenizerSource =
    files?.tokenizer ?? (await readStaticFile(folder, 'tokenizer.json', sha256['tokenizer.json']));
  const model = orDamaged(modelPath, 'a model2vec model', () => readModel(modelBytes));
  if (model.dimensions !== dimensions) {
    throw new EmbedderLoadError({
      code: 'DIMENSION_MISMATCH',
      subject: modelPath,
      expected: `${dimensions} dimensions`,
      received: `${model.dimensions}`,
      remedy: `Set dimensions: ${model.dimensions}, or leave it out.`,
    });
  }
  const json = orDamaged(tokenizerPath, 'JSON', () => readTokenizerJson(tokenizerSource));
  const tokenizer = orDamaged(tokenizerPath, 'a tokenizer', () => new library.Tokenizer(json, {}));
  const entries = vocabularySize(json);
  if (entries !== model.tokens) {
    throw damagedError(
      tokenizerPath,
      `the model's tokenizer, of ${model.tokens} entries`,
      `${entries}`,
      undefined,
    );
  }
  return { model, tokenize: tokenizeWith(tokenizer, unknownToken(json)) };
}

function readModel(bytes: Uint8Array): StaticModel {
  const length = headerLength(bytes, bytes.length);
  return staticModel(bytes, readHeader(bytes.subarray(8, 8 + length), bytes.length));
}

function readTokenizerJson(source: Uint8Array | string | object): TokenizerJson {
  const text = source instanceof Uint8Array ? new TextDecoder().decode(source) : source;
  const value: unknown = typeof text === 'string' ? JSON.parse(text) : text;
  if (typeof value !== 'object' || value === null) throw new TypeError(`${typeof value}`);
  return value as TokenizerJson;
}

/** WordPiece and BPE keep a map from token to id, Unigram a list of tokens. */
function vocabularySize({ model, added_tokens: added = [] }: TokenizerJson): number {
  const { vocab } = model ?? {};
  if (Array.isArray(vocab))
    return added.reduce((size, { id }) => Math.max(size, id + 1), vocab.length);
  const ids = new Set<unknown>(Object.values(vocab ?? {}));
  for (const { id } of added) ids.add(id);
  return ids.size;
}

function unknownToken({ model }: TokenizerJson): number | undefined {
  if (model?.unk_id !== undefined) return model.unk_id;
  const vocab = model?.vocab as Record<string, number> | undefined;
  return typeof model?.unk_token === 'string' ? vocab?.[model.unk_token] : undefined;
}

function tokenizeWith(
  tokenizer: StaticTokenizer,
  unknown: number | undefined,
): LoadedStaticModel['tokenize'] {
  return (text, most) => {
    const all: number[] = [];
    const pieceLength = Math.min(PIECE_LENGTH, Math.max(1_024, 8 * most));
    for (let from = 0; from < text.length && all.length <= most; ) {
      let end = text.length;
      if (end - from > pieceLength) {
        const space = text.lastIndexOf(' ', from + pieceLength);
        end = space > from ? space : from + pieceLength;
      }
      for (const id of tokenizer.encode(text.slice(from, end), { add_special_tokens: false }).ids) {
        if (id !== unknown) all.push(id);
      }
      from = end;
    }
    return all;
  };
}

function orDamaged<T>(path: string, expected: string, action: () => T): T {
  try {
    return action();
  } catch (cause) {
    throw damagedError(
      path,
      expected,
      cause instanceof Error ? cause.message : String(cause),
      cause,
    );
  }
}

function damagedError(
  subject: string,
  expected: string,
  received: string,
  cause: unknown,
): EmbedderLoadError {
  const remedy = 'Replace the file by the one that was published with the model.';
  return new EmbedderLoadError({
    code: 'FILE_DAMAGED',
    subject,
    expected,
    received,
    remedy,
    cause,
  });
}
