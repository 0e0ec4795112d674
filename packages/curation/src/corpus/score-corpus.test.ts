import { describe, expect, it } from 'bun:test';
import { parseTrace, type ReasoningTrace, TraceValidationError } from '@kp/schema';
import { createScorer, type FormulaOptions } from '@kp/scoring';
import { contentKey } from './content-keys.ts';
import { corpusNovelty } from './corpus-novelty.ts';
import { CORPUS_VECTORS_ID, corpusVectors } from './corpus-vectors.ts';
import { scoreCorpus } from './score-corpus.ts';
import { buildSimilarityGraph } from './similarity-graph.ts';

const lines = (await Bun.file(`${import.meta.dir}/../../../../examples/traces/code.jsonl`).text())
  .trim()
  .split('\n');
const traces = lines.map((line) => parseTrace(JSON.parse(line)));

async function score(all: readonly ReasoningTrace[]) {
  const keys = await Promise.all(all.map(contentKey));
  const graph = await buildSimilarityGraph(corpusVectors(all), { keys });
  return { graph, reports: await scoreCorpus(all, { graph, vectorsId: CORPUS_VECTORS_ID }) };
}

describe('scoreCorpus', () => {
  it('uses the corpus novelty in the formula and changes nothing else', async () => {
    const { graph, reports } = await score(traces);
    const plain = createScorer({ embedder: null });
    const novelty = corpusNovelty(graph);
    for (const [run, report] of reports.entries()) {
      const without = await plain.score(traces[run]);
      const { dimensions, weights } = report;
      expect(dimensions.novelty).toBeCloseTo(novelty[run], 12);
      expect({ ...dimensions, novelty: 0.5 }).toEqual(without.dimensions);
      const change = (dimensions.novelty - 0.5) * weights.novelty;
      expect(report.composite).toBeCloseTo(without.composite + change, 12);
      expect(report.novelty).toMatchObject({ source: 'corpus', embedder: CORPUS_VECTORS_ID });
      expect(report.novelty.comparedWith).toBe(traces.length - 1);
      expect(report.novelty.nearest?.key).not.toBe(report.traceId);
    }
  });

  it('gives each trace the same report in any order', async () => {
    const { reports } = await score(traces);
    const { reports: turned } = await score(traces.toReversed());
    const lasting = (all: typeof reports) => all.map(({ elapsedMs: _, ...report }) => report);
    expect(lasting(turned).toReversed()).toEqual(lasting(reports));
  });

  it('reports the most similar other trace and its similarity', async () => {
    const { graph, reports } = await score(traces);
    for (const [run, { novelty }] of reports.entries()) {
      const others = traces
        .map((trace, other) => ({
          key: trace.id,
          similarity: graph.similarity(run, other),
        }))
        .filter((_, other) => other !== run);
      const similarity = Math.max(...others.map((other) => other.similarity));
      const nearest = novelty.nearest as { key: string; similarity: number };
      expect(novelty).toEqual({
        source: 'corpus',
        comparedWith: traces.length - 1,
        truncated: false,
        embedder: CORPUS_VECTORS_ID,
        nearest: { key: nearest.key, similarity },
      });
      expect(others).toContainEqual({ key: nearest.key, similarity });
    }
  });

  it('rejects traces of another graph, and vectors without an id', async () => {
    const { graph } = await score(traces.slice(0, 2));
    const scored = (count: number, vectorsId: unknown) =>
      scoreCorpus(traces.slice(0, count), { graph, vectorsId: vectorsId as string });
    await expect(scored(1, 'x')).rejects.toThrow(
      'traces: expected 2 entries, one per run, received 1',
    );
    await expect(scored(2, undefined)).rejects.toThrow(
      'vectorsId: expected the id of the embedder or vectorizer, received nothing',
    );
  });

  it('reports an invalid trace even if another is nearest to it', async () => {
    const { graph } = await score(traces);
    const all = [...traces.slice(0, -1), null as never];
    const failure = scoreCorpus(all, { graph, vectorsId: CORPUS_VECTORS_ID });
    await expect(failure).rejects.toBeInstanceOf(TraceValidationError);
  });

  it('gives a single trace novelty 0.5', async () => {
    const { reports } = await score(traces.slice(0, 1));
    expect(reports[0]?.dimensions.novelty).toBe(0.5);
    expect(reports[0]?.novelty).toEqual({
      source: 'corpus',
      comparedWith: 0,
      truncated: false,
      embedder: CORPUS_VECTORS_ID,
    });
  });

  it('rejects options of a scorer, which would have no effect, such as sameId', async () => {
    const { graph } = await score(traces);
    const scoring = { sameId: 'replace', budgetMs: 5 } as FormulaOptions;
    const scored = scoreCorpus(traces, { graph, vectorsId: CORPUS_VECTORS_ID, scoring });
    await expect(scored).rejects.toThrow(
      'options: expected one of profiles, dimensions, rules, lengthCreditCap, limits, received "sameId"',
    );
  });

  it('rejects with the reason of an aborted signal', async () => {
    const { graph } = await score(traces);
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(scoreCorpus(traces, { graph, vectorsId: 'x', signal })).rejects.toThrow('enough');
  });
});
