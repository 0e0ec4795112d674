import {
  type DimensionScores,
  DOMAIN_PROFILES,
  type ReasoningTrace,
  type ScoringWeights,
} from '@knowledgepulse/sdk';
import { readExampleTraces } from '../inputs/example-traces.ts';
import { financeTrace, longTrace } from '../inputs/finance-trace.ts';
import type { RowCase } from './cases.ts';
import type { RowId } from './latency-table.ts';
import type { Subjects } from './subjects.ts';

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
