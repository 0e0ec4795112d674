import { createLexicalEmbedder, createScorer, type Embedder } from '@knowledgepulse/sdk';
import { readExampleTraces } from '../inputs/example-traces.ts';
import type { BenchmarkFactory } from './benchmark.ts';

/** `evaluateAll` over the examples: time a trace. */
export const streamBenchmarks: BenchmarkFactory = {
  group: 'evaluateAll',
  create() {
    const traces = readExampleTraces();
    const benchmark = (name: string, embedder: Embedder | null) => {
      const scorer = createScorer({ embedder });
      return {
        group: 'evaluateAll',
        name,
        operations: traces.length,
        async run() {
          let sum = 0;
          for await (const { score } of scorer.evaluateAll(traces)) sum += score;
          return sum;
        },
      };
    };
    return [
      benchmark('a trace, no embedder', null),
      benchmark('a trace, lexical embedder, texts seen before', createLexicalEmbedder()),
    ];
  },
};
