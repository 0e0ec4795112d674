import type { GivenFacts } from '../src/index.ts';
import type { ReadRun } from '../src/run/finished-run.ts';

/** The span of every run in these tests. */
export const SPAN = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };

/** A run with one thought that contains a secret, and a known span. */
export function readRun(run = 'r1'): ReadRun {
  return {
    format: 'test',
    run: {
      source: { run },
      objective: 'When does the ferry leave?',
      steps: [{ kind: 'thought', content: `The code of the door is 4711 (${run})` }],
      record: null,
    },
  };
}

export const FACTS: GivenFacts = { span: SPAN, confidence: 0.8 };
