import type { EmbeddingCacheOptions } from '../embedding-cache.ts';
import { EmbedderLoadError, invalidType, messageOf } from '../errors.ts';
import { downloadFile } from '../files/download.ts';
import { sha256, verifyFile } from '../files/hashes.ts';
import { nodeFileSystem } from '../files/node-modules.ts';
import type { RetryOptions } from '../loading.ts';
import { headerLength, readHeader } from './safetensors.ts';
import { embeddingsEntry, type StaticPooling } from './static-model.ts';
import type { TokenizersLibrary } from './static-tokenizer.ts';

/** The files of a model2vec model, read by the caller. */
export interface StaticModelFiles {
  /** `model.safetensors`. */
  readonly model: Uint8Array;
  /** `tokenizer.json`, as bytes, as text or parsed. */
  readonly tokenizer: Uint8Array | string | object;
}

/** Options of `createStaticEmbedder`. */
export interface StaticEmbedderOptions {
  /**
   * Folder with `model.safetensors` and `tokenizer.json`; in a browser, the address of one. One of
   * `path` and `files` is needed.
   */
  readonly path?: string;
  /** The files themselves, where they are in memory already. */
  readonly files?: StaticModelFiles;
  /**
   * Says in the `id` which model it is; yours to keep apart from those of other models. Default: a hash
   * of the files' content, or of `sha256` where both hashes are given; for an address without them, the
   * address.
   */
  readonly name?: string;
  /**
   * Length of the vectors. Default: read from the header of the model when the embedder is created,
   * which needs the file to be there; where `path` is an address it must be given.
   */
  readonly dimensions?: number;
  /** Most tokens of a text that are read. Default: all. */
  readonly maxTokens?: number;
  /**
   * `mean`, the default, gives the vectors of model2vec. `start` lets what a text begins with outweigh
   * what follows, and tells long texts of one kind, such as traces, apart much better.
   */
  readonly pooling?: StaticPooling;
  /** SHA-256 that the files must have, in hexadecimal. */
  readonly sha256?: { readonly 'model.safetensors'?: string; readonly 'tokenizer.json'?: string };
  /** Bounds of the memory of texts embedded lately, which are not embedded again; false for none. */
  readonly cache?: EmbeddingCacheOptions | false;
  /** Waits between failed loads. */
  readonly retry?: RetryOptions;
  /** The library, or a function that gives it, when it cannot be found by its name (a bundle, a test). */
  readonly tokenizers?: TokenizersLibrary | (() => Promise<TokenizersLibrary>);
}

/** Where the two files of a model come from. */
export interface StaticSource {
  /** Says in the id which model it is. */
  readonly name: string;
  readonly dimensions: number;
  /** How the files are called in messages. */
  readonly modelPath: string;
  readonly tokenizerPath: string;
  /** @throws EmbedderLoadError `FILE_MISSING`, `DOWNLOAD_FAILED` or `FILE_HASH_MISMATCH`. */
  read(signal: AbortSignal): Promise<StaticModelFiles>;
}

const MODEL = 'model.safetensors';
const TOKENIZER = 'tokenizer.json';

/**
 * The source that the options name. Its name is a hash of both files, which are read for that, unless
 * their hashes or a name are given. At an address, where nothing can be read at once, it is the address.
 *
 * @throws TypeError when not exactly one of `path` and `files` is given, or `path` is an address and
 *   the dimensions are left out.
 * @throws EmbedderLoadError when a file that the name or the dimensions need cannot be read.
 */
export function staticSource(options: StaticEmbedderOptions): StaticSource {
  const { path, files, sha256: pins = {} } = options;
  if ((path === undefined) === (files === undefined)) {
    throw invalidType('static embedder', 'one of path and files', { path, files });
  }
  if (path === undefined) return filesSource(options, files as StaticModelFiles);
  const folder = path.replace(/[\\/]$/, '');
  const modelPath = `${folder}/${MODEL}`;
  const tokenizerPath = `${folder}/${TOKENIZER}`;
  const pinned =
    pins[MODEL] !== undefined && pins[TOKENIZER] !== undefined
      ? contentName(pins[MODEL].toLowerCase(), pins[TOKENIZER].toLowerCase())
      : undefined;
  const name = options.name ?? pinned;
  const { dimensions } = options;

  const read = async (signal: AbortSignal): Promise<StaticModelFiles> => {
    const reading = [
      readFile(modelPath, pins[MODEL], signal),
      readFile(tokenizerPath, pins[TOKENIZER], signal),
    ] as const;
    // Of two files that are missing the weights are named, whichever was found out first.
    await Promise.allSettled(reading);
    return { model: await reading[0], tokenizer: await reading[1] };
  };

  if (isAddress(folder)) {
    if (dimensions === undefined) {
      throw invalidType('dimensions', 'a number beside a path that is an address', dimensions);
    }
    return { name: name ?? folder, dimensions, modelPath, tokenizerPath, read };
  }
  if (name !== undefined && dimensions !== undefined) {
    return { name, dimensions, modelPath, tokenizerPath, read };
  }
  // What the name was made of is what is loaded, whatever happens to the files meanwhile.
  const content = { model: readNow(modelPath), tokenizer: readNow(tokenizerPath) };
  return {
    name: name ?? nameOf(content),
    dimensions: dimensions ?? dimensionsOf(modelPath, content.model),
    modelPath,
    tokenizerPath,
    read: async () => {
      await verify(modelPath, content.model, pins[MODEL]);
      await verify(tokenizerPath, content.tokenizer, pins[TOKENIZER]);
      return content;
    },
  };
}

function filesSource(options: StaticEmbedderOptions, files: StaticModelFiles): StaticSource {
  const modelPath = 'files.model';
  return {
    name: options.name ?? nameOf(files),
    dimensions: options.dimensions ?? dimensionsOf(modelPath, files.model),
    modelPath,
    tokenizerPath: 'files.tokenizer',
    read: async () => files,
  };
}

function nameOf({ model, tokenizer }: StaticModelFiles): string {
  return contentName(sha256(bytesOf(model)), sha256(bytesOf(tokenizer)));
}

/** One hash of both, short enough to read: 64 bits. */
function contentName(modelHash: string, tokenizerHash: string): string {
  return sha256(new TextEncoder().encode(`${modelHash} ${tokenizerHash}`)).slice(0, 16);
}

function bytesOf(content: Uint8Array | string | object): Uint8Array {
  if (ArrayBuffer.isView(content)) return content as Uint8Array;
  return new TextEncoder().encode(typeof content === 'string' ? content : JSON.stringify(content));
}

function dimensionsOf(path: string, model: Uint8Array): number {
  try {
    const length = headerLength(model, model.length);
    // A file that is cut short is found out, and named, when it is loaded.
    const entries = readHeader(model.subarray(8, 8 + length), Number.MAX_SAFE_INTEGER);
    return embeddingsEntry(entries).shape[1];
  } catch (cause) {
    throw new EmbedderLoadError({
      code: 'FILE_DAMAGED',
      subject: path,
      expected: 'the header of a model2vec model',
      received: messageOf(cause),
      remedy: 'Replace the file by the one that was published with the model.',
      cause,
    });
  }
}

function readNow(path: string): Uint8Array {
  try {
    const bytes = nodeFileSystem()?.readFileSync(path);
    if (bytes === undefined) throw new Error('no file system here: give an address, or files');
    return bytes;
  } catch (cause) {
    throw missingError(path, cause);
  }
}

async function readFile(
  path: string,
  pin: string | undefined,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const fileSystem = nodeFileSystem();
  if (fileSystem === undefined || isAddress(path)) {
    return downloadFile(path, { signal, pin, remedy: 'Check the network and the address.' });
  }
  const bytes = await fileSystem.readFile(path).catch((cause: unknown) => {
    throw missingError(path, cause);
  });
  await verify(path, bytes, pin);
  return bytes;
}

async function verify(path: string, bytes: Uint8Array | string | object, pin: string | undefined) {
  if (pin !== undefined) await verifyFile(path, bytesOf(bytes), pin);
}

/** Whether a path is a URL. One letter before the colon is a drive. */
function isAddress(path: string): boolean {
  return /^[a-z]{2,}:\/\//i.test(path);
}

function missingError(path: string, cause: unknown): EmbedderLoadError {
  return new EmbedderLoadError({
    code: 'FILE_MISSING',
    subject: path,
    expected: 'a file of the model',
    received: messageOf(cause),
    remedy: `Put it there, or correct path: a folder with ${MODEL} and ${TOKENIZER}.`,
    cause,
  });
}
