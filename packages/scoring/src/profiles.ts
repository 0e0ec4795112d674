import { ProfileError } from './errors.ts';
import { checkWeights, type ScoringWeights } from './weights.ts';

const DEFAULT_PROFILE = 'default';

/**
 * The built-in profiles by `metadata.task_domain`. A Map, because domains such as `constructor`
 * and `__proto__` are names like any other.
 */
export const DOMAIN_PROFILES: ReadonlyMap<string, ScoringWeights> = new Map(
  (
    [
      // profile              C     N     D     O
      [DEFAULT_PROFILE, 0.25, 0.35, 0.15, 0.25],
      ['finance', 0.2, 0.25, 0.1, 0.45],
      ['code', 0.2, 0.3, 0.3, 0.2],
      ['medical', 0.15, 0.2, 0.1, 0.55],
      ['customer_service', 0.2, 0.3, 0.2, 0.3],
    ] as const
  ).map(([profile, complexity, novelty, toolDiversity, outcomeConfidence]) => [
    profile,
    checkWeights(profile, { complexity, novelty, toolDiversity, outcomeConfidence }),
  ]),
);

/** The profile a domain takes, with its name. */
export interface ResolvedProfile {
  readonly profile: string;
  readonly weights: ScoringWeights;
}

/**
 * The built-in profiles and the given ones, which are added to them or replace them.
 *
 * @throws {@link ProfileError} when the weights of one are not usable.
 */
export function withProfiles(
  profiles: Readonly<Record<string, ScoringWeights>> | undefined,
): ReadonlyMap<string, ScoringWeights> {
  if (profiles === undefined) return DOMAIN_PROFILES;
  if (typeof profiles !== 'object' || profiles === null) {
    throw new ProfileError('profiles', 'an object of weights by domain', String(profiles));
  }
  const all = new Map(DOMAIN_PROFILES);
  for (const [profile, weights] of Object.entries(profiles)) {
    all.set(profile, checkWeights(profile, weights));
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
  const fallback = profiles.get(DEFAULT_PROFILE);
  if (fallback === undefined) throw new ProfileError(DEFAULT_PROFILE, 'a default profile', 'none');
  return { profile: DEFAULT_PROFILE, weights: fallback };
}
