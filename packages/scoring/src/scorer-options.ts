import { defaultEmbedder, type Embedder } from '@kp/embedder';
import { resolveLimits, type TraceLimits } from '@kp/schema';
import { VectorCache } from '@kp/vector-cache';
import { canReplace } from './ask-memory.ts';
import { DIMENSION_NAMES } from './dimensions.ts';
import { MemoryMismatchError, ScorerOptionError } from './errors.ts';
import type { OwnDimension, ScoringFormula } from './formula.ts';
import type { LookupSettings } from './novelty-lookup.ts';
import type { NoveltyMemory, SameId } from './novelty-memory.ts';
import { type ScoringWeights, withProfiles } from './profiles.ts';
import { BUILT_IN_RULES, ownRule, type ScoringRule } from './rules.ts';
import type { Formula } from './score-report.ts';
import type { OnWarning } from './warnings.ts';

/** What a scorer is made of. */
export interface ScorerOptions {
  /** Null: novelty is 0.5. Left out: the transformers embedder when its library is installed. */
  readonly embedder?: Embedder | null;
  /** Left out: a `VectorCache` of 1,000 vectors of the embedder's dimensions. */
  readonly memory?: NoveltyMemory;
  /**
   * What happens to a trace whose id is remembered already; `compare`. For `replace` the memory
   * needs `forget`, or `compareAndRemember`.
   */
  readonly sameId?: SameId;
  /** Weights by domain, added to the built-in profiles or replacing them. */
  readonly profiles?: Readonly<Record<string, ScoringWeights>>;
  /**
   * Further dimensions by name, each a value in [0, 1] of a valid trace; they count in profiles
   * that name them.
   */
  readonly dimensions?: Readonly<Record<string, OwnDimension>>;
  /** Rules that apply after the three, in order; one of a built-in rule's name replaces it. */
  readonly rules?: readonly ScoringRule[];
  /** The most that the number of steps adds to complexity; Infinity. */
  readonly lengthCreditCap?: number;
  /** Milliseconds an evaluation may take before it goes on without a comparison; 100. */
  readonly budgetMs?: number;
  /** Milliseconds that one call of the embedder or the memory may take; 30,000. */
  readonly operationTimeoutMs?: number;
  /**
   * How many traces may be under way, late ones included, before further ones are shed; 1,024.
   * Their texts together may have 32 million characters.
   */
  readonly maxPending?: number;
  /** Replaces single limits on the size of a trace. */
  readonly limits?: Partial<TraceLimits>;
  /** Told, once an episode, of what goes wrong; prints to the console when left out. */
  readonly onWarning?: OnWarning;
}

export interface ResolvedScorerOptions {
  readonly formula: ScoringFormula;
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
    formula: resolveFormula(options),
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

function resolveFormula(options: ScorerOptions): ScoringFormula {
  const { lengthCreditCap = Number.POSITIVE_INFINITY, limits, profiles } = options;
  if (typeof lengthCreditCap !== 'number' || !(lengthCreditCap >= 0)) {
    throw new ScorerOptionError('lengthCreditCap', 'a number of at least 0', lengthCreditCap);
  }
  const ownDimensions = resolveDimensions(options.dimensions);
  const ownRules = resolveRules(options.rules);
  const dimensionNames = ownDimensions.map(([name]) => name);
  const own = {
    dimensions: Object.freeze(dimensionNames),
    rules: Object.freeze(ownRules.map(({ name }) => name)),
    profiles: Object.freeze(Object.keys(profiles ?? {})),
  };
  const identity: { -readonly [Field in keyof Formula]: Formula[Field] } = {
    name: 'knowledgepulse',
    version: '1',
    own: Object.freeze(own),
  };
  if (lengthCreditCap !== Number.POSITIVE_INFINITY) identity.lengthCreditCap = lengthCreditCap;
  return {
    identity: Object.freeze(identity),
    profiles: withProfiles(profiles, dimensionNames),
    ownDimensions,
    rules: rulesWith(ownRules),
    lengthCreditCap,
    limits: limits === undefined ? undefined : resolveLimits(limits),
  };
}

const NAME = /^[A-Za-z][\w-]*$/;

function resolveDimensions(
  dimensions: Readonly<Record<string, OwnDimension>> | undefined,
): readonly (readonly [string, OwnDimension])[] {
  if (dimensions === undefined) return [];
  if (typeof dimensions !== 'object' || dimensions === null || Array.isArray(dimensions)) {
    throw new ScorerOptionError('dimensions', 'an object of functions by name', dimensions);
  }
  const taken: readonly string[] = DIMENSION_NAMES;
  return Object.entries(dimensions).map(([name, value]) => {
    if (!NAME.test(name)) {
      throw new ScorerOptionError('dimensions', 'names of letters, digits, - and _', name);
    }
    // Weights are looked up by name, and every object has a `toString`.
    if (taken.includes(name) || name in Object.prototype) {
      const expected = `names other than ${taken.join(', ')} and those of every object`;
      throw new ScorerOptionError('dimensions', expected, name);
    }
    if (typeof value !== 'function') {
      throw new ScorerOptionError(`dimensions.${name}`, 'a function', value);
    }
    return [name, value] as const;
  });
}

function resolveRules(rules: readonly ScoringRule[] | undefined): readonly ScoringRule[] {
  if (rules === undefined) return [];
  if (!Array.isArray(rules)) throw new ScorerOptionError('rules', 'an array of rules', rules);
  const names = new Set<string>();
  return rules.map((rule: ScoringRule, index) => {
    const { name, applies, change } = Object(rule) as ScoringRule;
    if (typeof name !== 'string' || !NAME.test(name)) {
      const expected = 'text of letters, digits, - and _';
      throw new ScorerOptionError(`rules[${index}].name`, expected, name);
    }
    if (names.has(name)) throw new ScorerOptionError('rules', 'each name once', name);
    names.add(name);
    for (const [method, value] of Object.entries({ applies, change })) {
      if (typeof value !== 'function') {
        throw new ScorerOptionError(`rules[${index}].${method}`, 'a function', value);
      }
    }
    return ownRule(rule);
  });
}

function rulesWith(own: readonly ScoringRule[]): readonly ScoringRule[] {
  const builtIn: readonly ScoringRule[] = BUILT_IN_RULES.map(
    (rule) => own.find(({ name }) => name === rule.name) ?? rule,
  );
  return [...builtIn, ...own.filter((rule) => !builtIn.includes(rule))];
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
