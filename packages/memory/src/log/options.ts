import { damagedError, MemoryStoreError } from './errors.ts';
import type { NamespaceSettings } from './log.ts';

/** What of an embedder a memory has to know; an `Embedder` is one. */
export interface EmbeddingSpace {
  /** Vectors of two ids are never compared. */
  readonly id: string;
  /** Length of every vector. */
  readonly dimensions: number;
}

/** Something that was got over, or that a user should know. */
export interface MemoryWarning {
  /** To match by. */
  readonly code:
    | 'MEMORY_RETRIED'
    | 'MEMORY_RELOADED'
    | 'MEMORY_NOT_PRUNED'
    | 'MEMORY_NOT_DURABLE'
    | 'MEMORY_NOT_ENCRYPTED';
  /** What happened, in a sentence. */
  readonly message: string;
  /** What was thrown below, if anything. */
  readonly cause?: unknown;
}

/** Who searches a namespace: each process in its copy of the log, or the server. */
export type MemoryIndex = 'log' | 'hnsw';

/** What a memory holds, and how long its store may take. */
export interface MemoryOptions {
  /**
   * Whose vectors it holds: vectors of another embedder are never compared with them. May be left
   * out when the namespace is there already.
   */
  readonly embedder?: EmbeddingSpace;
  /** Memories in one store that know nothing of each other. Default `default`. */
  readonly namespace?: string;
  /**
   * How many entries are compared with, the newest; fixed when the namespace is made. Default
   * 100,000, which takes about 230 MB of a process at 384 dimensions.
   */
  readonly maxElements?: number;
  /**
   * The quota of a store: a namespace that is not there is refused with `MEMORY_FULL` when the store
   * has that number already. Default Infinity.
   */
  readonly maxNamespaces?: number;
  /** How old an entry gets; fixed when the namespace is made. Default Infinity. */
  readonly ttlMs?: number;
  /**
   * Who searches: `log`, each process, exactly, in all of the namespace; `hnsw`, the server, in an
   * approximate index of pgvector, for namespaces larger than a process. Only Postgres has `hnsw`.
   * Fixed when the namespace is made, until it is migrated. Default `log`; for a namespace that is
   * there, what it has.
   */
  readonly index?: MemoryIndex;
  /**
   * A secret: keys are stored, and answered, as their HMAC-SHA-256 under it, so that whoever reads
   * the store learns no ids. Needed again at each opening.
   */
  readonly hashKeys?: string;
  /** How long the store may fail or be silent before a call rejects. Default 5,000. */
  readonly timeoutMs?: number;
  /** How many entries may wait; calls beyond are refused at once. Default 10,000. */
  readonly maxPending?: number;
  /**
   * Called with each warning; when it fails, or is left out, the warning
   * goes to `console.warn`.
   */
  readonly onWarning?: (warning: MemoryWarning) => unknown;
}

/** The options with what they leave out. */
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

const DEFAULT_MAX_ELEMENTS = 100_000;
/** Those of the longest vector that can be compared. */
const MAX_DIMENSIONS = 65_536;
const LENGTH = `an integer from 1 to ${MAX_DIMENSIONS}`;

/**
 * @param indexes - those that the engine has.
 * @throws {@link MemoryStoreError} `MEMORY_OPTION_INVALID`.
 */
export function resolveOptions(
  options: MemoryOptions = {},
  indexes: readonly MemoryIndex[] = ['log'],
): ResolvedOptions {
  const { embedder, namespace = 'default', hashKeys } = options;
  if (embedder !== undefined) {
    const { id, dimensions } = embedder;
    const expected = 'well-formed text that is not empty, without NUL';
    check('embedder.id', expected, id, typeof id === 'string' && id !== '' && isStorable(id));
    check('embedder.dimensions', LENGTH, dimensions, isLength(dimensions));
  }
  const isName = typeof namespace === 'string' && namespace !== '' && namespace.length <= 200;
  const name = 'well-formed text of 1 to 200 characters without NUL';
  check('namespace', name, namespace, isName && isStorable(namespace));
  const { index } = options;
  if (index !== undefined) {
    const expected = `${indexes.join(' or ')}${indexes.length === 1 ? ' with this engine' : ''}`;
    check('index', expected, index, indexes.includes(index));
  }
  if (hashKeys !== undefined) {
    const isSecret = typeof hashKeys === 'string' && hashKeys.length >= 16;
    check('hashKeys', 'a secret of at least 16 characters', typeof hashKeys, isSecret);
  }
  const { maxElements, ttlMs, timeoutMs = 5000, maxPending = 10_000 } = options;
  const { maxNamespaces = Infinity } = options;
  const isQuota = maxNamespaces === Infinity || isCount(maxNamespaces);
  check('maxNamespaces', 'an integer from 1', maxNamespaces, isQuota);
  if (maxElements !== undefined) {
    check('maxElements', 'an integer from 1', maxElements, isCount(maxElements));
  }
  if (ttlMs !== undefined) check('ttlMs', 'milliseconds above 0', ttlMs, ttlMs > 0);
  check('timeoutMs', 'milliseconds above 0', timeoutMs, timeoutMs > 0);
  check('maxPending', 'an integer from 1', maxPending, isCount(maxPending));
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
    onWarning: withoutFailures(options.onWarning ?? printWarning),
  };
}

function printWarning({ message }: MemoryWarning): void {
  // biome-ignore lint/suspicious/noConsole: a warning must be visible without any setup.
  globalThis.console?.warn(`[@kp/memory] ${message}`);
}

/** A listener that fails must not break what the memory is doing. */
function withoutFailures(
  onWarning: (warning: MemoryWarning) => unknown,
): (warning: MemoryWarning) => void {
  return (warning) => {
    new Promise((resolve) => resolve(onWarning(warning))).catch(() => printWarning(warning));
  };
}

/** What a store has written down of a namespace. */
export interface StoredNamespace extends NamespaceSettings {
  /** Says which secret the keys are hashed with; empty when they are not. */
  readonly keyCheck: string;
}

/** @throws {@link MemoryStoreError} `MEMORY_FULL` when a store may have no further namespace. */
export function checkQuota(found: number, { namespace, maxNamespaces }: ResolvedOptions): void {
  if (found < maxNamespaces) return;
  throw new MemoryStoreError({
    code: 'MEMORY_FULL',
    subject: `namespace ${JSON.stringify(namespace)}`,
    expected: `at most ${maxNamespaces} namespaces in the store`,
    received: `${found}, and this one`,
    remedy: 'drop one, for instance by kp memory drop, or raise maxNamespaces',
  });
}

/** The namespace to be made when there is none. */
export function newNamespace(options: ResolvedOptions, keyCheck: string): StoredNamespace {
  const { embedder, namespace, maxElements = DEFAULT_MAX_ELEMENTS, ttlMs = Infinity } = options;
  if (embedder === undefined) {
    throw new MemoryStoreError({
      code: 'MEMORY_LOCATION',
      subject: `namespace ${JSON.stringify(namespace)}`,
      expected: 'an existing memory',
      received: 'a name that does not exist',
      remedy: 'name an embedder to make it',
    });
  }
  const { id: embedderId, dimensions } = embedder;
  return { namespace, embedderId, dimensions, maxElements, ttlMs, keyCheck };
}

/**
 * Holds what is asked for against what a namespace was made with.
 *
 * @throws {@link MemoryStoreError} `MEMORY_MISMATCH`; `MEMORY_DAMAGED` when nothing is made with it.
 */
export function checkNamespace(
  stored: StoredNamespace,
  options: ResolvedOptions,
  keyCheck: string,
): void {
  const { embedder, maxElements, ttlMs } = options;
  const name = `namespace ${JSON.stringify(stored.namespace)}`;
  const sound = (subject: string, expected: string, found: unknown, isFine: boolean): void => {
    if (!isFine) throw damagedError(`${name}, ${subject}`, expected, shown(found));
  };
  const isName = typeof stored.embedderId === 'string' && stored.embedderId !== '';
  sound('embedder', 'a string that is not empty', stored.embedderId, isName);
  sound('dimensions', LENGTH, stored.dimensions, isLength(stored.dimensions));
  sound('maxElements', 'an integer from 1', stored.maxElements, isCount(stored.maxElements));
  sound('ttlMs', 'milliseconds above 0', stored.ttlMs, stored.ttlMs > 0);
  sound('keys', 'text', stored.keyCheck, typeof stored.keyCheck === 'string');
  const anew = 'or choose another namespace';
  const demand = (subject: string, wanted: unknown, found: unknown, remedy: string): void => {
    if (wanted === undefined || wanted === found) return;
    throw new MemoryStoreError({
      code: 'MEMORY_MISMATCH',
      subject: `${name}, ${subject}`,
      expected: String(wanted),
      received: String(found),
      remedy,
    });
  };
  demand('embedder', embedder?.id, stored.embedderId, `${OTHER_EMBEDDER}, ${anew}`);
  demand('dimensions', embedder?.dimensions, stored.dimensions, `use its embedder, ${anew}`);
  const fixed = `leave it out, ${anew}: all who share a memory keep to the same bounds`;
  demand('maxElements', maxElements, stored.maxElements, fixed);
  demand('ttlMs', ttlMs, stored.ttlMs, fixed);
  if (keyCheck !== stored.keyCheck) {
    demand(
      'keys',
      keyCheck === '' ? 'not hashed' : 'hashed with this secret',
      stored.keyCheck === '' ? 'not hashed' : 'hashed with another secret, or with one',
      `give hashKeys as at its making, ${anew}`,
    );
  }
}

const OTHER_EMBEDDER =
  'use the embedder that filled it, or convert it with kp memory migrate OLD RUNS… --embedder NAME --into NEW, which needs the recorded runs because a memory has no texts';

/** Stores would change half a surrogate pair, and Postgres refuses NUL. */
function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000');
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}

function isLength(value: unknown): boolean {
  return isCount(value) && (value as number) <= MAX_DIMENSIONS;
}

function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

function check(option: string, expected: string, received: unknown, isFine: boolean): void {
  if (isFine) return;
  throw new MemoryStoreError({
    code: 'MEMORY_OPTION_INVALID',
    subject: option,
    expected,
    received: shown(received),
  });
}
