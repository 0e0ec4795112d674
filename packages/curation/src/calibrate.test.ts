import { describe, expect, it } from 'bun:test';
import { type Corpus, graphOf } from '../test/corpora.ts';
import { seededIntegers } from './baseline.ts';
import { bandOf, calibrateThreshold, calibrateThresholds } from './calibrate.ts';
import { TooFewGroupsError } from './errors.ts';

/** Tasks of two runs each: a centre with a little noise. */
function taskCorpus(tasks: number, seed: number): Corpus & { readonly groups: string[] } {
  const next = seededIntegers(seed);
  const noise = () => next(2000) / 1000 - 1;
  const vectors: Float32Array[] = [];
  const groups: string[] = [];
  for (let task = 0; task < tasks; task++) {
    const centre = Array.from({ length: 6 }, noise);
    for (let run = 0; run < 2; run++) {
      vectors.push(Float32Array.from(centre, (value) => value + 0.3 * noise()));
      groups.push(`task ${task}`);
    }
  }
  return { vectors, groups, keys: groups.map((_, run) => `k${next(1_000_000)}-${run}`) };
}

describe('calibrateThreshold', () => {
  it('takes a new task for a copy no more often than stated, over the draw of tasks', async () => {
    const splits = process.env.KP_THOROUGH === undefined ? 100 : 300;
    let wrong = 0;
    for (let seed = 0; seed < splits; seed++) {
      const all = taskCorpus(20, seed);
      const { threshold } = calibrateThreshold(
        await graphOf({ vectors: all.vectors.slice(0, 38), keys: all.keys.slice(0, 38) }),
        { groups: all.groups.slice(0, 38), falseDuplicateRate: 0.1 },
      );
      const graph = await graphOf({
        vectors: all.vectors.slice(0, 39),
        keys: all.keys.slice(0, 39),
      });
      if (graph.similarities[38 * graph.neighbors] > threshold) wrong++;
    }
    // 0.1 and two standard errors of so many draws.
    expect(wrong / splits).toBeLessThanOrEqual(0.1 + 2 * Math.sqrt(0.09 / splits));
    expect(wrong).toBeGreaterThan(0);
  });

  it('does not depend on how many neighbours are kept', async () => {
    const corpus = taskCorpus(24, 5);
    const options = { groups: corpus.groups, falseDuplicateRate: 0.1 };
    const all = calibrateThreshold(await graphOf(corpus), options);
    expect(calibrateThreshold(await graphOf(corpus, 1), options)).toEqual(all);
    // Two runs of each task, next to each other; of other tasks the one of the first key is nearest.
    const vectors = Array.from({ length: 49 }, (_, run) => {
      const task = Math.ceil(run / 2);
      return Float32Array.from({ length: 25 }, (_, at) => (at === 0 ? 2 : +(at === task)));
    });
    const keys = vectors.map((_, run) => String(run).padStart(2, '0'));
    const groups = vectors.map((_, run) => `task ${Math.ceil(run / 2)}`);
    const around = { groups, falseDuplicateRate: 0.4 };
    const { threshold } = calibrateThreshold(await graphOf({ vectors, keys }, 1), around);
    expect(threshold).toBeCloseTo(2 / Math.sqrt(5), 6);
  });

  it('says how many tasks it needs', async () => {
    const corpus = taskCorpus(5, 1);
    const graph = await graphOf(corpus);
    const refused = () =>
      calibrateThreshold(graph, { groups: corpus.groups, falseDuplicateRate: 0.05 });
    expect(refused).toThrow(TooFewGroupsError);
    expect(refused).toThrow('expected at least 39 tasks for an error rate of 0.05, received 5');
    expect(() =>
      calibrateThreshold(graph, { groups: corpus.groups, falseDuplicateRate: 0 }),
    ).toThrow('falseDuplicateRate: expected a rate over 0, received 0');
  });
});

describe('calibrateThresholds', () => {
  it('gives bands that do not overlap, and labels an estimate', async () => {
    const corpus = taskCorpus(40, 3);
    const graph = await graphOf(corpus);
    const bands = calibrateThresholds(graph, { groups: corpus.groups });
    expect(bands).toMatchObject({ method: 'conformal', tasks: 40 });
    expect(bands.newBelow ?? Number.NaN).toBeLessThanOrEqual(bands.redundantAbove);
    expect(bandOf(bands.redundantAbove + 1e-9, bands)).toBe('redundant');
    expect(bandOf(bands.redundantAbove, bands)).toBe('uncertain');
    expect(bandOf((bands.newBelow ?? 0) - 1e-9, bands)).toBe('keep');

    const estimate = calibrateThresholds(graph);
    expect(estimate).toMatchObject({ method: 'estimated', tasks: 0 });
    expect(Math.abs(estimate.redundantAbove - bands.redundantAbove)).toBeLessThan(0.1);
  });

  it('refuses an estimate from fewer than 12 runs', async () => {
    const graph = await graphOf(taskCorpus(4, 1));
    expect(() => calibrateThresholds(graph)).toThrow('at least 12 runs for an estimate');
  });
});
