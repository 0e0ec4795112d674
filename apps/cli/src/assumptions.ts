import type { Provenance } from '@kp/importers';
import { count } from './summary.ts';

/** Counts what was taken for granted of traces that do not record it. */
export interface Assumptions {
  add(provenance: Provenance | undefined): void;
  /** One line each, with the way to say otherwise. */
  describe(): readonly string[];
}

export function createAssumptions(countedAs: 'succeeded' | 'failed'): Assumptions {
  let unknownSuccess = 0;
  let assumedConfidence = 0;
  return {
    add(provenance) {
      if (provenance?.success === 'unknown') unknownSuccess++;
      if (provenance?.confidence === 'assumed') assumedConfidence++;
    },
    describe() {
      const lines: string[] = [];
      if (unknownSuccess > 0) {
        const wayOut = countedAs === 'succeeded' ? ' (--assume-failure counts them as failed)' : '';
        lines.push(
          `${count(unknownSuccess, 'run')} without a verdict, counted as ${countedAs}${wayOut}`,
        );
      }
      if (assumedConfidence > 0) {
        const runs = count(assumedConfidence, 'run');
        lines.push(`${runs} without a confidence, counted as 0.5 (--confidence sets another)`);
      }
      return lines;
    },
  };
}
