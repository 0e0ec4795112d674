import { defaultEmbedder, type Embedder } from '@kp/embedder';
import type { TraceLimits } from '@kp/schema';
import { VectorCache } from '@kp/vector-cache';
import { MemoryMismatchError, ScorerOptionError } from './errors.ts';
import type { NoveltyMemory } from './novelty-memory.ts';
import { withProfiles } from './profiles.ts';
import { type OnWarning, printWarning } from './warnings.ts';
import type { ScoringWeights } from './weights.ts';

export interface ScorerOptions {
  /** Null: novelty is 0.5. Left out: the transformers embedder when its library is installed. */
  readonly embedder?: Embedder | null | undefined;
  /** Left out: a `VectorCache` of 1,000 vectors of the embedder's dimensions. */
  readonly memory?: NoveltyMemory | undefined;
  /** Weights by domain, added to the built-in profiles or replacing them. */
  readonly profiles?: Readonly<Record<string, ScoringWeights>> | undefined;
  /** Milliseconds an evaluation may take before it goes on without an embedding; 100. */
  readonly budgetMs?: number | undefined;
  /** The most that the number of steps adds to complexity; Infinity. */
  readonly lengthCreditCap?: number | undefined;
  /** Replaces single limits on the size of a trace. */
  readonly limits?: Partial<TraceLimits> | undefined;
  /** Told of failures that no report shows; prints to the console when left out. */
  readonly onWarning?: OnWarning | undefined;
}

export interface ResolvedScorerOptions {
  readonly embedder: Embedder | null;
  readonly memory: NoveltyMemory | null;
  readonly profiles: ReadonlyMap<string, ScoringWeights>;
  readonly budgetMs: number;
  readonly lengthCreditCap: number;
  readonly limits: Partial<TraceLimits> | undefined;
  readonly onWarning: OnWarning;
}

const DEFAULT_BUDGET_MS = 100;

export function resolveScorerOptions(options: ScorerOptions): ResolvedScorerOptions {
  if (typeof options !== 'object' || options === null) {
    throw new ScorerOptionError('options', 'an object', String(options));
  }
  const embedder = options.embedder === undefined ? defaultEmbedder() : options.embedder;
  const { budgetMs = DEFAULT_BUDGET_MS, lengthCreditCap = Number.POSITIVE_INFINITY } = options;
  checkBudget(budgetMs);
  if (typeof lengthCreditCap !== 'number' || !(lengthCreditCap >= 0)) {
    throw new ScorerOptionError(
      'lengthCreditCap',
      'a number of at least 0',
      String(lengthCreditCap),
    );
  }
  return {
    embedder,
    memory: embedder === null ? null : resolveMemory(embedder, options.memory),
    profiles: withProfiles(options.profiles),
    budgetMs,
    lengthCreditCap,
    limits: options.limits,
    onWarning: options.onWarning ?? printWarning,
  };
}

export function checkBudget(budgetMs: number): void {
  if (typeof budgetMs !== 'number' || !(budgetMs > 0)) {
    throw new ScorerOptionError('budgetMs', 'milliseconds over 0, or Infinity', String(budgetMs));
  }
}

function resolveMemory(embedder: Embedder, memory: NoveltyMemory | undefined): NoveltyMemory {
  const { id, dimensions } = embedder;
  if (typeof embedder.embed !== 'function') {
    throw new ScorerOptionError('embedder', 'an object with embed()', typeof embedder.embed);
  }
  if (memory === undefined) return new VectorCache({ dimensions, embedderId: id });
  if (typeof memory.nearest !== 'function' || typeof memory.add !== 'function') {
    throw new ScorerOptionError('memory', 'an object with nearest() and add()', String(memory));
  }
  if (memory.dimensions !== undefined && memory.dimensions !== dimensions) {
    throw new MemoryMismatchError('dimensions', `${dimensions}`, `${memory.dimensions}`);
  }
  if (memory.embedderId !== undefined && memory.embedderId !== id) {
    throw new MemoryMismatchError('embedder', id, memory.embedderId);
  }
  return memory;
}
