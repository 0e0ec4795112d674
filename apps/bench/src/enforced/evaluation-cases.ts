import type { Embedder, Scorer } from '@knowledgepulse/sdk';
import { findStaticModel, findTransformersModel } from '../inputs/models.ts';
import {
  createInstantScorer,
  createRewording,
  financeTrace,
  readExampleTraces,
  type Sdk,
} from '../inputs/traces.ts';
import type { RowId } from './latency-table.ts';
import type { NotMeasured, RowCase, Subjects } from './part-cases.ts';

/**
 * Creates a case for whole evaluations: of all examples if the embedder's time depends on the text,
 * otherwise of the finance example. Without a budget, because an exceeded budget would skip the
 * embedding.
 */
export function createEvaluationCase(
  id: RowId,
  sdk: Sdk,
  subjects: Subjects,
): RowCase | NotMeasured | undefined {
  switch (id) {
    case 'evaluation-none':
      return ofFinance(subjects, sdk.createScorer({ embedder: null }));
    case 'evaluation-around':
      return ofFinance(subjects, createInstantScorer(sdk));
    case 'evaluation-lexical':
      return overExamples(sdk, subjects, sdk.createLexicalEmbedder());
    case 'evaluation-static': {
      const model = findStaticModel();
      if (model.kind === 'missing') return { notMeasured: model.reason };
      return overExamples(sdk, subjects, sdk.createStaticEmbedder({ path: model.path }));
    }
    case 'evaluation-transformers':
      return withModel(sdk, (embedder) => overExamples(sdk, subjects, embedder));
    case 'embedding-transformers':
      return withModel(sdk, (embedder) => embedding(sdk, embedder));
    default:
      return undefined;
  }
}

function ofFinance(subjects: Subjects, scorer: Scorer): RowCase {
  return { operations: 1, run: () => subjects.evaluate(scorer, financeTrace) };
}

function overExamples(sdk: Sdk, subjects: Subjects, embedder: Embedder): RowCase {
  const scorer = sdk.createScorer({ embedder, budgetMs: Number.POSITIVE_INFINITY });
  const traces = readExampleTraces(sdk);
  const reworded = createRewording();
  let next = 0;
  return {
    operations: 1,
    async run() {
      const trace = traces[next++ % traces.length] ?? financeTrace;
      const { score, novelty } = await subjects.evaluate(scorer, reworded(trace));
      if (novelty.failure !== undefined) throw new Error(novelty.failure.message);
      return score;
    },
  };
}

function embedding({ traceText }: Sdk, embedder: Embedder): RowCase {
  const reworded = createRewording();
  return { operations: 1, run: () => embedder.embed([traceText(reworded(financeTrace))]) };
}

function withModel(sdk: Sdk, create: (embedder: Embedder) => RowCase): RowCase | NotMeasured {
  const model = findTransformersModel();
  if (model.kind === 'missing') return { notMeasured: model.reason };
  // Any model files of the right shape are accepted, because times do not depend on the weights.
  const options = model.kind === 'folder' ? { localModelPath: model.path, sha256: {} } : {};
  return create(sdk.createTransformersEmbedder(options));
}
