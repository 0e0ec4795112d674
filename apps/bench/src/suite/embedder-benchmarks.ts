import {
  createLexicalEmbedder,
  createScorer,
  createStaticEmbedder,
  createTransformersEmbedder,
  type Embedder,
  parseTrace,
  traceText,
} from '@knowledgepulse/sdk';
import { findStaticModel, findTransformersModel } from '../inputs/models.ts';
import { createRewording, financeTrace, longTrace, readExampleTraces } from '../inputs/traces.ts';
import type { Benchmark, BenchmarkFactory, MissingBenchmark } from './run-suite.ts';

const STEPS = [5, 50, 500];

/** Times embedding by length of the text, and evaluation of the examples, with each embedder. */
export const embedderBenchmarks: readonly BenchmarkFactory[] = [
  { group: 'embedders', create: () => withEmbedder('lexical', createLexicalEmbedder()) },
  { group: 'embedders', create: staticBenchmarks },
  { group: 'embedders', create: transformersBenchmarks },
];

function staticBenchmarks(): (Benchmark | MissingBenchmark)[] {
  const model = findStaticModel();
  return model.kind === 'missing'
    ? [{ group: 'embedders', name: 'static', notMeasured: model.reason }]
    : withEmbedder('static', createStaticEmbedder({ path: model.path }));
}

function transformersBenchmarks(): (Benchmark | MissingBenchmark)[] {
  const model = findTransformersModel();
  if (model.kind === 'missing') {
    return [{ group: 'embedders', name: 'transformers', notMeasured: model.reason }];
  }
  const options = model.kind === 'folder' ? { localModelPath: model.path, sha256: {} } : {};
  return withEmbedder('transformers', createTransformersEmbedder(options));
}

function withEmbedder(name: string, embedder: Embedder): Benchmark[] {
  const reworded = createRewording();
  const embeddings = STEPS.map((steps): Benchmark => {
    const trace = longTrace(steps);
    return {
      group: 'embedders',
      name: `${name}: embedding`,
      size: traceText(trace).length,
      run: async () => embedder.embed([traceText(reworded(trace))]),
    };
  });
  const scorer = createScorer({ embedder, budgetMs: Number.POSITIVE_INFINITY });
  const traces = readExampleTraces({ parseTrace });
  let next = 0;
  const run = async (): Promise<unknown> =>
    scorer.evaluate(reworded(traces[next++ % traces.length] ?? financeTrace));
  return [...embeddings, { group: 'embedders', name: `${name}: evaluation of an example`, run }];
}

/** Times `evaluateAll` over the examples, per trace. */
export const streamBenchmarks: BenchmarkFactory = {
  group: 'evaluateAll',
  create() {
    const traces = readExampleTraces({ parseTrace });
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
      benchmark('per trace, no embedder', null),
      benchmark('per trace, lexical embedder, repeated texts', createLexicalEmbedder()),
    ];
  },
};
