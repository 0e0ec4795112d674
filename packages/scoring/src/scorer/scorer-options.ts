import { defaultEmbedder, type Embedder } from '@kp/embedder';
import { VectorCache } from '@kp/vector-cache';
import { ScorerOptionError } from '../formula/errors.ts';
import { createFormula, type Formula, type FormulaOptions } from '../formula/formula.ts';
import { MemoryMismatchError } from '../novelty/errors.ts';
import { canReplace } from '../novelty/guard-memory.ts';
import type { NoveltyMemory, SameId } from '../novelty/novelty-memory.ts';
import type { LookupSettings } from './novelty-lookup.ts';
import type { OnWarning } from './warnings.ts';

/** What a scorer is made of. */
export interface ScorerOptions extends FormulaOptions {
  /** Null: novelty is 0.5. Left out: the transformers embedder when its library is installed. */
  readonly embedder?: Embedder | null;
  /** Left out: a `VectorCache` of 1,000 vectors of the embedder's dimensions. */
  readonly memory?: NoveltyMemory;
  /**
   * What happens to a trace whose id is remembered already; `compare`. For `replace` the memory
   * needs `forget`, or `compareAndRemember`.
   */
  readonly sameId?: SameId;
  /** Milliseconds an evaluation may take before it goes on without a comparison; 100. */
  readonly budgetMs?: number;
  /** Milliseconds that one call of the embedder or the memory may take; 30,000. */
  readonly operationTimeoutMs?: number;
  /**
   * How many traces may be under way, late ones included, before further ones are shed; 1,024.
   * Their texts together may have 32 million characters.
   */
  readonly maxPending?: number;
  /** Told, once an episode, of what goes wrong; prints to the console when left out. */
  readonly onWarning?: OnWarning;
}

export interface ResolvedScorerOptions {
  readonly formula: Formula;
  /** Null: there is no embedder. */
  readonly lookup: LookupSettings | null;
  /** The embedder is the scorer's own, to be closed with it. */
  readonly ownsEmbedder: boolean;
  readonly budgetMs: number;
  readonly operationTimeoutMs: number;
  readonly onWarning: OnWarning | undefined;
}

const DEFAULT_BUDGET_MS = 100;
const DEFAULT_OPERATION_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_PENDING = 1024;

export function resolveScorerOptions(options: ScorerOptions): ResolvedScorerOptions {
  if (typeof options !== 'object' || options === null) {
    throw new ScorerOptionError('options', 'an object', options);
  }
  const {
    embedder = defaultEmbedder(),
    budgetMs = DEFAULT_BUDGET_MS,
    operationTimeoutMs = DEFAULT_OPERATION_TIMEOUT_MS,
    onWarning,
  } = options;
  checkMilliseconds('budgetMs', budgetMs);
  checkMilliseconds('operationTimeoutMs', operationTimeoutMs);
  checkLookupOptions(options);
  if (onWarning !== undefined && typeof onWarning !== 'function') {
    throw new ScorerOptionError('onWarning', 'a function', onWarning);
  }
  return {
    formula: createFormula(options),
    lookup: embedder === null ? null : resolveLookup(embedder, options, operationTimeoutMs),
    ownsEmbedder: options.embedder === undefined,
    budgetMs,
    operationTimeoutMs,
    onWarning,
  };
}

export function checkMilliseconds(option: string, value: unknown): void {
  if (typeof value === 'number' && value > 0) return;
  throw new ScorerOptionError(option, 'milliseconds over 0, or Infinity', value);
}

export function checkSignal(signal: unknown): void {
  const { addEventListener, throwIfAborted } = Object(signal) as Partial<AbortSignal>;
  if (typeof addEventListener === 'function' && typeof throwIfAborted === 'function') return;
  throw new ScorerOptionError('signal', 'an AbortSignal', signal);
}

/** Also without an embedder, which may be a matter of configuration. */
function checkLookupOptions({ maxPending = 1, sameId = 'compare', memory }: ScorerOptions): void {
  if (!(Number.isInteger(maxPending) && maxPending > 0)) {
    throw new ScorerOptionError('maxPending', 'a whole number over 0', maxPending);
  }
  if (sameId !== 'compare' && sameId !== 'replace') {
    throw new ScorerOptionError('sameId', "'compare' or 'replace'", sameId);
  }
  if (memory === undefined) return;
  if (typeof memory?.nearest !== 'function' || typeof memory.add !== 'function') {
    throw new ScorerOptionError('memory', 'an object with nearest() and add()', memory);
  }
}

function resolveLookup(
  embedder: Embedder,
  options: ScorerOptions,
  operationTimeoutMs: number,
): LookupSettings {
  const { maxPending = DEFAULT_MAX_PENDING, sameId = 'compare' } = options;
  if (typeof embedder !== 'object' || typeof embedder.embed !== 'function') {
    throw new ScorerOptionError('embedder', 'an object with embed()', embedder.embed);
  }
  const { id, dimensions } = embedder;
  if (typeof id !== 'string') throw new ScorerOptionError('embedder.id', 'text', id);
  if (!(Number.isInteger(dimensions) && dimensions > 0)) {
    throw new ScorerOptionError('embedder.dimensions', 'a whole number over 0', dimensions);
  }
  const memory = resolveMemory(embedder, options.memory);
  if (sameId === 'replace' && !canReplace(memory)) {
    const expected = "an object with forget() or compareAndRemember(), for sameId 'replace'";
    throw new ScorerOptionError('memory', expected, memory);
  }
  return { embedder, memory, sameId, operationTimeoutMs, maxPending };
}

function resolveMemory(embedder: Embedder, memory: NoveltyMemory | undefined): NoveltyMemory {
  const { id, dimensions } = embedder;
  if (memory === undefined) return new VectorCache({ dimensions, embedderId: id });
  if (memory.dimensions !== undefined && memory.dimensions !== dimensions) {
    throw new MemoryMismatchError('dimensions', `${dimensions}`, `${memory.dimensions}`);
  }
  if (memory.embedderId !== undefined && memory.embedderId !== id) {
    throw new MemoryMismatchError('embedder', id, memory.embedderId);
  }
  return memory;
}
