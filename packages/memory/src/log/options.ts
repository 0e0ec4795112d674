import { canHoldOptions, findUnknownOption, type OptionNames } from '@kp/foundation';
import { MemoryStoreError } from './errors.ts';
import { checkOption, isCount, isDuration, isLength, isStorable, LENGTH } from './value-checks.ts';

/** The part of an `Embedder` that a memory uses. */
export interface EmbeddingSpace {
  /** Vectors of embedders with different ids are never compared. */
  readonly id: string;
  /** Length of every vector. */
  readonly dimensions: number;
}

/** A failure that the memory recovered from, or a setting that may lose or expose data. */
export interface MemoryWarning {
  /** Stable code. */
  readonly code:
    | 'MEMORY_RETRIED'
    | 'MEMORY_RELOADED'
    | 'MEMORY_NOT_PRUNED'
    | 'MEMORY_NOT_DURABLE'
    | 'MEMORY_NOT_ENCRYPTED';
  /** What happened, in a sentence. */
  readonly message: string;
  /** The underlying error, if any. */
  readonly cause?: unknown;
}

/** Who searches a namespace: each process in its copy of the log, or the server in an index. */
export type MemoryIndex = 'log' | 'hnsw';

/** Options of a memory. */
export interface MemoryOptions {
  /**
   * The embedder whose vectors the memory stores. Another embedder is rejected with
   * `MEMORY_MISMATCH`. Optional if the namespace exists.
   */
  readonly embedder?: EmbeddingSpace;
  /** Name of the memory in its store; memories of different names share nothing. Default `default`. */
  readonly namespace?: string;
  /**
   * Number of entries; the oldest are dropped beyond it. Fixed when the namespace is created. Default
   * 100,000, which takes about 230 MB in a process at 384 dimensions.
   */
  readonly maxElements?: number;
  /**
   * Number of namespaces in the store. If it has that many, creating another one fails with
   * `MEMORY_FULL`. Default Infinity.
   */
  readonly maxNamespaces?: number;
  /**
   * Age at which entries expire, in milliseconds since they were added or their vector changed. Fixed
   * when the namespace is created. Default Infinity.
   */
  readonly ttlMs?: number;
  /**
   * `log`: each process keeps all entries and searches them exactly. `hnsw` (only Postgres): the
   * server searches an approximate index of pgvector, for namespaces larger than a process. Fixed
   * when the namespace is created; `kp memory migrate` changes it. Default: that of the namespace, or
   * `log` for a new one.
   */
  readonly index?: MemoryIndex;
  /**
   * A secret of at least 16 characters. The memory stores and returns keys as their HMAC-SHA-256, so
   * the store contains no ids. Required again each time the memory is opened.
   */
  readonly hashKeys?: string;
  /** Milliseconds for which a call retries before it rejects. Default 5,000. */
  readonly timeoutMs?: number;
  /** Number of entries that may wait; further calls reject with `MEMORY_OVERLOADED`. Default 10,000. */
  readonly maxPending?: number;
  /**
   * Called with each warning. Without it, or if it throws, the warning goes to `console.warn`.
   */
  readonly onWarning?: (warning: MemoryWarning) => unknown;
}

/** Checked options with defaults. */
export interface ResolvedOptions {
  readonly embedder: EmbeddingSpace | undefined;
  readonly namespace: string;
  readonly maxElements: number | undefined;
  readonly maxNamespaces: number;
  readonly ttlMs: number | undefined;
  readonly index: MemoryIndex | undefined;
  readonly hashKeys: string | undefined;
  readonly timeoutMs: number;
  readonly maxPending: number;
  readonly onWarning: (warning: MemoryWarning) => void;
}

const MEMORY_OPTIONS: Readonly<Record<keyof MemoryOptions, true>> = {
  embedder: true,
  namespace: true,
  maxElements: true,
  maxNamespaces: true,
  ttlMs: true,
  index: true,
  hashKeys: true,
  timeoutMs: true,
  maxPending: true,
  onWarning: true,
};

const SECRET_CHARACTERS = 16;

/**
 * @param indexes - supported by the engine.
 * @param more - names of further options, which the caller reads.
 * @throws {@link MemoryStoreError} `MEMORY_OPTION_INVALID`.
 */
export function resolveOptions(
  options: MemoryOptions = {},
  indexes: readonly MemoryIndex[] = ['log'],
  more: OptionNames = {},
): ResolvedOptions {
  checkOption('options', 'an object', options, canHoldOptions(options));
  const unknown = findUnknownOption(options, { ...MEMORY_OPTIONS, ...more });
  if (unknown !== undefined) {
    checkOption('options', unknown.expected, unknown.name, false, unknown.remedy);
  }
  const { embedder, namespace = 'default', hashKeys } = options;
  if (embedder !== undefined) {
    checkOption('embedder', 'an object', embedder, canHoldOptions(embedder));
    const { id, dimensions } = embedder;
    const expected = 'well-formed text that is not empty, without NUL';
    checkOption('embedder.id', expected, id, typeof id === 'string' && id !== '' && isStorable(id));
    checkOption('embedder.dimensions', LENGTH, dimensions, isLength(dimensions));
  }
  const isName = typeof namespace === 'string' && namespace !== '' && namespace.length <= 200;
  const name = 'well-formed text of 1 to 200 characters without NUL';
  checkOption('namespace', name, namespace, isName && isStorable(namespace));
  const { index } = options;
  if (index !== undefined) {
    const expected = `${indexes.join(' or ')}${indexes.length === 1 ? ' with this engine' : ''}`;
    checkOption('index', expected, index, indexes.includes(index));
  }
  checkSecret(hashKeys);
  const { maxElements, ttlMs, timeoutMs = 5000, maxPending = 10_000 } = options;
  const { maxNamespaces = Infinity } = options;
  const isQuota = maxNamespaces === Infinity || isCount(maxNamespaces);
  checkOption('maxNamespaces', 'an integer from 1', maxNamespaces, isQuota);
  if (maxElements !== undefined) {
    checkOption('maxElements', 'an integer from 1', maxElements, isCount(maxElements));
  }
  if (ttlMs !== undefined) checkOption('ttlMs', 'milliseconds above 0', ttlMs, isDuration(ttlMs));
  checkOption('timeoutMs', 'milliseconds above 0', timeoutMs, isDuration(timeoutMs));
  checkOption('maxPending', 'an integer from 1', maxPending, isCount(maxPending));
  const { onWarning = printWarning } = options;
  checkOption('onWarning', 'a function', onWarning, typeof onWarning === 'function');
  return {
    embedder,
    namespace,
    maxElements,
    maxNamespaces,
    ttlMs,
    index,
    hashKeys,
    timeoutMs,
    maxPending,
    onWarning: withoutFailures(onWarning),
  };
}

/**
 * The error does not contain the secret.
 *
 * @throws {@link MemoryStoreError} `MEMORY_OPTION_INVALID`.
 */
export function checkSecret(secret: unknown): void {
  if (secret === undefined) return;
  if (typeof secret === 'string' && secret.length >= SECRET_CHARACTERS) return;
  throw new MemoryStoreError({
    code: 'MEMORY_OPTION_INVALID',
    subject: 'hashKeys',
    expected: `a secret of at least ${SECRET_CHARACTERS} characters`,
    received: typeof secret === 'string' ? `one of ${secret.length}` : `type ${typeof secret}`,
  });
}

function printWarning({ message }: MemoryWarning): void {
  // biome-ignore lint/suspicious/noConsole: a warning must be visible without any setup.
  globalThis.console?.warn(`[@kp/memory] ${message}`);
}

/** A failing listener must not interrupt the memory. */
function withoutFailures(
  onWarning: (warning: MemoryWarning) => unknown,
): (warning: MemoryWarning) => void {
  return (warning) => {
    new Promise((resolve) => resolve(onWarning(warning))).catch(() => printWarning(warning));
  };
}
