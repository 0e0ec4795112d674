import { describe, expect, it } from 'bun:test';
import { financeTrace } from '../test/traces.ts';
import { ProfileError } from './errors.ts';
import { DOMAIN_PROFILES, profileFor, type ScoringWeights, withProfiles } from './profiles.ts';
import { createScorer } from './scorer.ts';

const even: ScoringWeights = {
  complexity: 0.25,
  novelty: 0.25,
  toolDiversity: 0.25,
  outcomeConfidence: 0.25,
};

describe('DOMAIN_PROFILES', () => {
  it('has the five profiles of the table', () => {
    expect(
      Object.fromEntries([...DOMAIN_PROFILES].map(([name, w]) => [name, Object.values(w)])),
    ).toEqual({
      default: [0.25, 0.35, 0.15, 0.25],
      finance: [0.2, 0.25, 0.1, 0.45],
      code: [0.2, 0.3, 0.3, 0.2],
      medical: [0.15, 0.2, 0.1, 0.55],
      customer_service: [0.2, 0.3, 0.2, 0.3],
    });
  });

  it.each([
    'constructor',
    '__proto__',
    'toString',
    'hasOwnProperty',
    'Finance',
    ' medical',
    'code ',
    '医疗',
    '',
  ])('has no profile %p: it takes default', (domain) => {
    expect(profileFor(domain, DOMAIN_PROFILES).profile).toBe('default');
  });
});

describe('DOMAIN_PROFILES', () => {
  it('cannot be changed, and no scorer would follow', async () => {
    const map = DOMAIN_PROFILES as Map<string, ScoringWeights>;
    for (const change of [
      () => map.set('finance', even),
      () => map.delete('finance'),
      () => map.clear(),
    ]) {
      expect(change).toThrow('expected no change: give createScorer profiles of your own');
    }
    Map.prototype.set.call(map, 'finance', even);
    const { weights } = await createScorer({ embedder: null }).evaluate(financeTrace);
    expect(weights.outcomeConfidence).toBe(0.45);
    Map.prototype.set.call(map, 'finance', weights);
  });
});

describe('withProfiles', () => {
  it('adds and replaces, and leaves the built-in ones alone', () => {
    const profiles = withProfiles({ legal: even, finance: even });
    expect(profileFor('legal', profiles)).toEqual({ profile: 'legal', weights: even });
    expect(profileFor('finance', profiles).weights).toEqual(even);
    expect(profileFor('finance', DOMAIN_PROFILES).weights.outcomeConfidence).toBe(0.45);
  });

  it('takes a profile called __proto__ like any other', () => {
    const profiles = withProfiles(JSON.parse(`{"__proto__":${JSON.stringify(even)}}`));
    expect(profileFor('__proto__', profiles).weights).toEqual(even);
  });

  it('keeps its own copy', () => {
    const weights = { ...even };
    const profiles = withProfiles({ legal: weights });
    weights.novelty = 7;
    expect(profileFor('legal', profiles).weights.novelty).toBe(0.25);
  });

  it.each([[[]], ['finance'], [5], [null]])('refuses %p for profiles', (profiles) => {
    expect(() => createScorer({ embedder: null, profiles: profiles as never })).toThrow(
      'profile "profiles": expected an object of weights by domain',
    );
  });

  it.each([
    [
      { ...even, novelty: 0.3 },
      'profile "legal": expected weights that sum to 1, received a sum of 1.05',
    ],
    [
      { ...even, novelty: -0.25, complexity: 0.75 },
      'profile "legal": expected weight novelty finite and at least 0, received -0.25',
    ],
    [
      { ...even, novelty: Number.NaN },
      'profile "legal": expected weight novelty finite and at least 0, received NaN',
    ],
    [
      { ...even, novelty: '0.25' },
      'profile "legal": expected weight novelty finite and at least 0, received "0.25"',
    ],
    [
      { complexity: 1 },
      'profile "legal": expected weight novelty finite and at least 0, received nothing',
    ],
    [
      { ...even, novelty: Infinity },
      'profile "legal": expected weight novelty finite and at least 0, received Infinity',
    ],
    [null, 'profile "legal": expected an object of four weights, received null'],
    ['even', 'profile "legal": expected an object of four weights, received "even"'],
  ])('refuses %p', (weights, message) => {
    const legal = weights as unknown as ScoringWeights;
    expect(() => withProfiles({ legal })).toThrow(ProfileError);
    expect(() => withProfiles({ legal })).toThrow(message);
    expect(() => withProfiles({ legal })).toThrow(expect.objectContaining({ profile: 'legal' }));
  });

  it('accepts a sum that is off by rounding only', () => {
    const third = 1 / 3;
    const weights = {
      complexity: third,
      novelty: third,
      toolDiversity: third,
      outcomeConfidence: 0,
    };
    expect(() => withProfiles({ legal: weights })).not.toThrow();
    expect(() => withProfiles({ legal: { ...weights, outcomeConfidence: 1e-8 } })).toThrow(
      ProfileError,
    );
  });
});
