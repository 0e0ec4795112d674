import { describe, expect, it } from 'bun:test';
import { join } from 'node:path';
import { NOVELTIES, readHeroRuns } from './hero-runs.ts';
import { TEXTS } from './texts/index.ts';

const root = join(import.meta.dirname, '../../..');

describe('readHeroRuns', () => {
  const runs = readHeroRuns(root);

  it('has a name in every language for each run', () => {
    for (const { heroRuns } of Object.values(TEXTS)) expect(heroRuns).toHaveLength(runs.length);
  });

  it('has scores that are the sum of their parts and rules, within [0, 1]', () => {
    for (const { dimensions, succeeded, failed } of runs) {
      expect(succeeded).toHaveLength(NOVELTIES + 1);
      for (const { score, parts, rules } of [...succeeded, ...failed]) {
        expect(parts).toHaveLength(dimensions.length);
        const all = [...parts, ...rules.map(({ change }) => change)];
        const sum = all.reduce((total, part) => total + part, 0);
        expect(score).toBeCloseTo(Math.min(1, Math.max(0, sum)), 2);
      }
    }
  });

  it('rises with novelty and with success', () => {
    for (const { succeeded, failed } of runs) {
      const scores = succeeded.map(({ score }) => score);
      expect(scores).toEqual(scores.toSorted((a, b) => a - b));
      expect(succeeded[0]?.score ?? 0).toBeGreaterThan(failed[0]?.score ?? 1);
    }
  });
});
