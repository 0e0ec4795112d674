import { describeValue } from '@kp/foundation';
import { DIMENSION_NAMES, type DimensionName } from './dimensions.ts';
import { ProfileError } from './errors.ts';

/** How much each dimension counts. Each weight is at least 0; together they are 1. */
export interface ScoringWeights {
  /** Of the richness of structure. */
  readonly complexity: number;
  /** Of the difference from earlier traces. */
  readonly novelty: number;
  /** Of the different tools for the length. */
  readonly toolDiversity: number;
  /** Of how sure the outcome is, and whether it worked. */
  readonly outcomeConfidence: number;
  /** A dimension of the user's own; what a profile does not name counts 0. */
  readonly [ownDimension: string]: number;
}

/** The profile a domain takes, with its name. */
export interface ResolvedProfile {
  readonly profile: string;
  readonly weights: ScoringWeights;
}

const DEFAULT_PROFILE = 'default';
const SUM_TOLERANCE = 1e-9;

/**
 * The built-in profiles by `metadata.task_domain`. A Map, because domains such as `constructor`
 * and `__proto__` are names like any other; nobody can change it.
 */
export const DOMAIN_PROFILES: ReadonlyMap<string, ScoringWeights> = /* @__PURE__ */ (() =>
  unchangeable(builtInProfiles()))();

/**
 * The built-in profiles and the given ones, which are added to them or replace them.
 *
 * @param ownDimensions - the names that weights may have beside the four.
 * @throws {@link ProfileError} when the weights of one are not usable.
 */
export function withProfiles(
  profiles: Readonly<Record<string, ScoringWeights>> | undefined,
  ownDimensions: readonly string[] = [],
): ReadonlyMap<string, ScoringWeights> {
  const all = builtInProfiles();
  if (profiles === undefined) return all;
  if (typeof profiles !== 'object' || profiles === null || Array.isArray(profiles)) {
    throw new ProfileError('profiles', 'an object of weights by domain', describeValue(profiles));
  }
  for (const [profile, weights] of Object.entries(profiles)) {
    all.set(profile, checkWeights(profile, weights, ownDimensions));
  }
  return all;
}

/** The profile of exactly that name, else `default`. */
export function profileFor(
  domain: string,
  profiles: ReadonlyMap<string, ScoringWeights>,
): ResolvedProfile {
  const weights = profiles.get(domain);
  if (weights !== undefined) return { profile: domain, weights };
  return { profile: DEFAULT_PROFILE, weights: profiles.get(DEFAULT_PROFILE) as ScoringWeights };
}

function builtInProfiles(): Map<string, ScoringWeights> {
  const rows = [
    // profile              C     N     D     O
    [DEFAULT_PROFILE, 0.25, 0.35, 0.15, 0.25],
    ['finance', 0.2, 0.25, 0.1, 0.45],
    ['code', 0.2, 0.3, 0.3, 0.2],
    ['medical', 0.15, 0.2, 0.1, 0.55],
    ['customer_service', 0.2, 0.3, 0.2, 0.3],
  ] as const;
  return new Map(
    rows.map(([profile, complexity, novelty, toolDiversity, outcomeConfidence]) => [
      profile,
      Object.freeze({ complexity, novelty, toolDiversity, outcomeConfidence }),
    ]),
  );
}

/** A frozen copy of a profile's weights, each read once. */
function checkWeights(
  profile: string,
  weights: ScoringWeights,
  ownDimensions: readonly string[],
): ScoringWeights {
  if (typeof weights !== 'object' || weights === null) {
    throw new ProfileError(profile, 'an object of four weights', describeValue(weights));
  }
  const given: Record<string, unknown> = { ...weights };
  const known: readonly string[] = [...DIMENSION_NAMES, ...ownDimensions];
  const copy: Partial<Record<string, number>> = {};
  let sum = 0;
  for (const name of known) {
    const weight = given[name] ?? (ownDimensions.includes(name) ? 0 : undefined);
    if (typeof weight !== 'number' || !Number.isFinite(weight) || weight < 0) {
      const expected = `weight ${name} finite and at least 0`;
      throw new ProfileError(profile, expected, describeValue(weight));
    }
    copy[name] = weight;
    sum += weight;
  }
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new ProfileError(profile, `weights of ${known.join(', ')}`, describeValue(unknown));
  }
  if (Math.abs(sum - 1) > SUM_TOLERANCE) {
    throw new ProfileError(profile, 'weights that sum to 1', `a sum of ${sum}`);
  }
  return Object.freeze(copy as Record<DimensionName, number>) as ScoringWeights;
}

/** A Map that refuses to be changed; scorers have copies of their own in any case. */
function unchangeable<K, V>(map: Map<K, V>): ReadonlyMap<K, V> {
  const refuse = (): never => {
    const expected = 'no change: give createScorer profiles of your own';
    throw new ProfileError('built-in', expected, 'an attempt to change them');
  };
  return Object.freeze(Object.assign(map, { set: refuse, delete: refuse, clear: refuse }));
}
