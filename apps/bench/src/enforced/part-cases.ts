import type {
  DimensionScores,
  OverriddenScore,
  ReasoningTrace,
  ScoreReport,
  Scorer,
  ScoringWeights,
  VectorCache,
} from '@knowledgepulse/sdk';
import { randomVectors } from '../inputs/random.ts';
import { financeTrace, longTrace, readExampleTraces, type Sdk } from '../inputs/traces.ts';
import type { MeasuredCase } from '../measurement/timing.ts';
import type { RowId } from './latency-table.ts';

/** The measured functions, one per part, so that tests can substitute slower ones. */
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

/** The timed part of a row, without its reference loop. */
export type RowCase = Pick<MeasuredCase, 'operations' | 'run'>;

/** Reason why a row cannot be measured here. */
export interface NotMeasured {
  readonly notMeasured: string;
}

/** Returns the product's real parts. */
export function subjectsOf(sdk: Sdk): Subjects {
  const { complexity, toolDiversity, outcomeConfidence } = sdk;
  const { compositeScore, applyOverrides, parseTrace } = sdk;
  return {
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
}

/**
 * Creates a case for a single part: over all examples for small parts, otherwise of the finance
 * example.
 */
export function createPartCase(id: RowId, sdk: Sdk, subjects: Subjects): RowCase | undefined {
  switch (id) {
    case 'complexity':
      return overExamples(sdk, subjects.complexity);
    case 'tool-diversity':
      return overExamples(sdk, subjects.toolDiversity);
    case 'outcome-confidence':
      return overExamples(sdk, subjects.outcomeConfidence);
    case 'rules':
      return overExamples(sdk, (trace) => subjects.applyOverrides(0.5, trace).score);
    case 'composite':
      return compositeCase(sdk, subjects);
    case 'pure-parts':
      return pureParts(sdk, subjects, financeTrace);
    case 'pure-parts-500':
      return pureParts(sdk, subjects, longTrace(500));
    case 'validation':
      return { operations: 1, run: () => subjects.parseTrace(financeTrace) };
    default:
      return undefined;
  }
}

function overExamples(sdk: Sdk, part: (trace: ReasoningTrace) => number): RowCase {
  const traces = readExampleTraces(sdk);
  // Compile a separate loop for each part, because a shared loop would be slower for the second
  // one.
  const make = new Function(
    'part',
    'traces',
    'return () => { let sum = 0; for (const trace of traces) sum += part(trace); return sum; }',
  );
  return { operations: traces.length, run: make(part, traces) as () => number };
}

function compositeCase(sdk: Sdk, subjects: Subjects): RowCase {
  const weights = financeWeights(sdk);
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

function pureParts(sdk: Sdk, subjects: Subjects, trace: ReasoningTrace): RowCase {
  const weights = financeWeights(sdk);
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

function financeWeights({ DOMAIN_PROFILES }: Sdk): ScoringWeights {
  const weights = DOMAIN_PROFILES.get('finance');
  if (weights === undefined) throw new RangeError('profile: expected finance, received none');
  return weights;
}

const REMEMBERED = 1000;
const QUERIES = 16;

/** Creates a case for one of the two operations of a full cache, with new vectors. */
export function createCacheCase(id: RowId, sdk: Sdk, subjects: Subjects): RowCase | undefined {
  if (id !== 'scan' && id !== 'add') return undefined;
  const cache = createFullCache(sdk);
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

/** Measures the bytes per vector of a cache with 1,000 vectors of 384 dimensions. */
export function memoryPerVector(sdk: Sdk): number {
  return createFullCache(sdk).memoryBytes / REMEMBERED;
}

function createFullCache({ VectorCache }: Sdk): VectorCache {
  const cache = new VectorCache({ maxElements: REMEMBERED });
  for (const vector of randomVectors(REMEMBERED, cache.dimensions, 2)) cache.add(vector);
  return cache;
}
