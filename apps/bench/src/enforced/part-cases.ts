import {
  applyOverrides,
  complexity,
  compositeScore,
  type DimensionScores,
  DOMAIN_PROFILES,
  type OverriddenScore,
  outcomeConfidence,
  parseTrace,
  type ReasoningTrace,
  type ScoreReport,
  type Scorer,
  type ScoringWeights,
  toolDiversity,
  VectorCache,
} from '@knowledgepulse/sdk';
import { randomVectors } from '../inputs/random.ts';
import { financeTrace, longTrace, readExampleTraces } from '../inputs/traces.ts';
import type { MeasuredCase } from '../measurement/timing.ts';
import type { RowId } from './latency-table.ts';

/** What is measured, one function a part, so that a test can put a slower one in its place. */
export interface Subjects {
  complexity(trace: ReasoningTrace): number;
  toolDiversity(trace: ReasoningTrace): number;
  outcomeConfidence(trace: ReasoningTrace): number;
  compositeScore(dimensions: DimensionScores, weights: ScoringWeights): number;
  applyOverrides(composite: number, trace: ReasoningTrace): OverriddenScore;
  parseTrace(trace: unknown): ReasoningTrace;
  add(cache: VectorCache, vector: Float32Array): void;
  maxCosineSimilarity(cache: VectorCache, query: Float32Array): number;
  evaluate(scorer: Scorer, trace: ReasoningTrace): Promise<ScoreReport>;
}

/** What a row is timed by, but for its reference loop. */
export type RowCase = Pick<MeasuredCase, 'operations' | 'run'>;

/** Why a row cannot be measured here. */
export interface NotMeasured {
  readonly notMeasured: string;
}

export const SDK_SUBJECTS: Subjects = {
  complexity,
  toolDiversity,
  outcomeConfidence,
  compositeScore,
  applyOverrides,
  parseTrace,
  add: (cache, vector) => cache.add(vector),
  maxCosineSimilarity: (cache, query) => cache.maxCosineSimilarity(query),
  evaluate: (scorer, trace) => scorer.evaluate(trace),
};

/** The parts by themselves: over all examples where they are small, else of the finance example. */
export function createPartCase(id: RowId, subjects: Subjects): RowCase | undefined {
  switch (id) {
    case 'complexity':
      return overExamples(subjects.complexity);
    case 'tool-diversity':
      return overExamples(subjects.toolDiversity);
    case 'outcome-confidence':
      return overExamples(subjects.outcomeConfidence);
    case 'rules':
      return overExamples((trace) => subjects.applyOverrides(0.5, trace).score);
    case 'composite':
      return compositeCase(subjects);
    case 'pure-parts':
      return pureParts(subjects, financeTrace);
    case 'pure-parts-500':
      return pureParts(subjects, longTrace(500));
    case 'validation':
      return { operations: 1, run: () => subjects.parseTrace(financeTrace) };
    default:
      return undefined;
  }
}

function overExamples(part: (trace: ReasoningTrace) => number): RowCase {
  const traces = readExampleTraces();
  return {
    operations: traces.length,
    run() {
      let sum = 0;
      for (const trace of traces) sum += part(trace);
      return sum;
    },
  };
}

function compositeCase(subjects: Subjects): RowCase {
  const weights = financeWeights();
  const all = Array.from(
    { length: 64 },
    (_, index): DimensionScores => ({
      complexity: index / 64,
      novelty: ((index * 7) % 64) / 64,
      toolDiversity: ((index * 11) % 64) / 64,
      outcomeConfidence: ((index * 13) % 64) / 64,
    }),
  );
  return {
    operations: all.length,
    run() {
      let sum = 0;
      for (const dimensions of all) sum += subjects.compositeScore(dimensions, weights);
      return sum;
    },
  };
}

function pureParts(subjects: Subjects, trace: ReasoningTrace): RowCase {
  const weights = financeWeights();
  return {
    operations: 1,
    run() {
      const dimensions = {
        complexity: subjects.complexity(trace),
        novelty: 0.5,
        toolDiversity: subjects.toolDiversity(trace),
        outcomeConfidence: subjects.outcomeConfidence(trace),
      };
      return subjects.applyOverrides(subjects.compositeScore(dimensions, weights), trace).score;
    },
  };
}

function financeWeights(): ScoringWeights {
  const weights = DOMAIN_PROFILES.get('finance');
  if (weights === undefined) throw new RangeError('profile: expected finance, received none');
  return weights;
}

const REMEMBERED = 1000;
const QUERIES = 16;

/** The two operations of a full cache, with vectors that it has not seen. */
export function createCacheCase(id: RowId, subjects: Subjects): RowCase | undefined {
  if (id !== 'scan' && id !== 'add') return undefined;
  const cache = createFullCache();
  const vectors = randomVectors(QUERIES, cache.dimensions, 3);
  if (id === 'add') {
    return {
      operations: QUERIES,
      run() {
        for (const vector of vectors) subjects.add(cache, vector);
        return cache.size;
      },
    };
  }
  return {
    operations: QUERIES,
    run() {
      let sum = 0;
      for (const vector of vectors) sum += subjects.maxCosineSimilarity(cache, vector);
      return sum;
    },
  };
}

/** Bytes that a cache of 1,000 vectors of 384 holds, a vector. */
export function memoryPerVector(): number {
  return createFullCache().memoryBytes / REMEMBERED;
}

function createFullCache(): VectorCache {
  const cache = new VectorCache({ maxElements: REMEMBERED });
  for (const vector of randomVectors(REMEMBERED, cache.dimensions, 2)) cache.add(vector);
  return cache;
}
