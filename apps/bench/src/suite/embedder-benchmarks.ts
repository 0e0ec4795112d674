import {
  createLexicalEmbedder,
  createScorer,
  createStaticEmbedder,
  createTransformersEmbedder,
  type Embedder,
  traceText,
} from '@knowledgepulse/sdk';
import { readExampleTraces } from '../inputs/example-traces.ts';
import { financeTrace, longTrace } from '../inputs/finance-trace.ts';
import { findStaticModel, findTransformersModel } from '../inputs/models.ts';
import { createRewording } from '../inputs/rewording.ts';
import type { Benchmark, BenchmarkFactory, MissingBenchmark } from './benchmark.ts';

const STEPS = [5, 50, 500];

/** Embedding by length of the text, and evaluating the examples, with each embedder. */
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
  const traces = readExampleTraces();
  let next = 0;
  const run = async (): Promise<unknown> =>
    scorer.evaluate(reworded(traces[next++ % traces.length] ?? financeTrace));
  return [...embeddings, { group: 'embedders', name: `${name}: evaluation of an example`, run }];
}
