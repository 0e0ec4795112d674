import { type FormulaIdentity, rescore, type ScoreReport } from '@knowledgepulse/sdk';
import {
  buildSimilarityGraph,
  CORPUS_VECTORS_ID,
  corpusNovelty,
  groupDuplicates,
  neighborsFor,
  picksPerCell,
  representedAmounts,
  type Selection,
  type SimilarityGraph,
  selectSubset,
  withoutGaps,
} from '@kp/curation';
import { jsonText } from '../output/text.ts';
import { type CellRun, readCellRuns } from './cell-rows.ts';
import { createTable } from './columns.ts';
import type { MapFacts } from './map-stage.ts';
import { MOST_CELL_RUNS, type PlanFacts } from './plan-stage.ts';
import { readShards } from './shards.ts';
import type { Store } from './store.ts';
import { PICK_COLUMNS, SCORE_COLUMNS, type ScoreRow } from './tables.ts';
import {
  contentOf,
  type DoneTask,
  findDone,
  PLAN_TASK,
  readDone,
  runTask,
  type TaskOutputs,
  taskName,
} from './tasks.ts';

/** The record of a cell. */
export interface CellFacts {
  readonly cell: number;
  readonly runs: number;
  readonly eligible: number;
  readonly picks: number;
  readonly duplicates: number;
  readonly scoreSum: number;
  readonly neighbors: number;
  /** The selection from a single cell. */
  readonly baseline: number;
  readonly coverage: number;
  readonly coverageByPick: readonly number[];
  readonly knee: number;
}

/**
 * Scores the runs of some cells and picks from them.
 *
 * @param shard - which share of the cells, from 0.
 * @param of - number of shares.
 * @param onCell - called after each cell.
 */
export async function computeCells(
  store: Store,
  shard: number,
  of: number,
  onCell: (done: DoneTask<CellFacts>, isNew: boolean) => void,
  signal: AbortSignal,
): Promise<void> {
  const plan = await readDone<PlanFacts>(store, PLAN_TASK);
  const shards = await readShards(store);
  const own = cellsOf(plan.facts.cells.length, shard, of);
  for (const batch of batches(own, plan.facts.cells)) {
    const open: number[] = [];
    for (const cell of batch) {
      const name = taskName('cell', cell, plan.facts.cells.length);
      if ((await findDone(store, name)) === undefined) open.push(cell);
    }
    const runs = open.length === 0 ? NO_RUNS : await readCellRuns(store, shards, plan, open);
    for (const cell of batch) {
      signal.throwIfAborted();
      const cellRuns = runs.get(cell) ?? [];
      const { done, isNew } = await runTask<CellFacts>(store, {
        name: taskName('cell', cell, plan.facts.cells.length),
        inputs: [contentOf(plan), cell],
        work: (outputs) => computeCell({ plan, shards, cell, runs: cellRuns, signal }, outputs),
      });
      cellRuns.length = 0;
      onCell(done, isNew);
    }
  }
}

/** Returns a share of the cells. They are consecutive, so that a process reads few row groups. */
function cellsOf(cells: number, shard: number, of: number): number[] {
  const from = Math.ceil((shard * cells) / of);
  const to = Math.ceil(((shard + 1) * cells) / of);
  return Array.from({ length: to - from }, (_, index) => from + index);
}

/** Reads several cells in one pass over the shards, as many as fit in memory. */
function batches(cells: readonly number[], sizes: readonly number[]): number[][] {
  const all: number[][] = [];
  let room = 0;
  for (const cell of cells) {
    const size = sizes[cell] as number;
    if (all.length === 0 || size > room) {
      all.push([]);
      room = MOST_BATCH_RUNS;
    }
    (all[all.length - 1] as number[]).push(cell);
    room -= size;
  }
  return all;
}

const MOST_BATCH_RUNS = MOST_CELL_RUNS / 2;
const NO_RUNS: ReadonlyMap<number, CellRun[]> = new Map();

interface Cell {
  readonly plan: DoneTask<PlanFacts>;
  readonly shards: readonly DoneTask<MapFacts>[];
  readonly cell: number;
  readonly runs: readonly CellRun[];
  readonly signal: AbortSignal;
}

async function computeCell(input: Cell, outputs: TaskOutputs): Promise<CellFacts> {
  const { plan, cell, runs, signal } = input;
  const { choices, cells, baseline } = plan.facts;
  const isOnly = cells.length === 1;
  const keys = runs.map(({ key }) => key);
  const vectors = withoutGaps(runs.map(({ vector }) => vector));
  // With a single cell, use the number of neighbours of `kp select`, for the same result.
  const neighbors = isOnly ? undefined : neighborsFor(runs.length);
  const graph = await buildSimilarityGraph(vectors, { keys, neighbors, signal });
  const reports = scoreRuns(input, graph);
  const eligible = [...runs.keys()].filter(
    (run) => !plan.facts.byOutcome || runs[run]?.success === true,
  );
  const quality = qualityOf(input, reports);
  const selection = selectSubset(graph, {
    k: picksPerCell(choices.top, cells.length),
    eligible,
    baseline: baseline ?? 'median',
    minGain: choices.minGain ?? undefined,
    quality,
    groups: runs.map(({ group }) => group),
    maxPerGroup: choices.perGroup ?? undefined,
  });
  const duplicateOf = duplicates(runs, reports, graph, choices.threshold);
  const scores = runs.map((run, index) =>
    scoreRow(run, reports[index] as ScoreReport, graph, runs, index, duplicateOf.get(index)),
  );
  await writeScores(scores, outputs);
  await writePicks(runs, selection, reports, quality, outputs);
  return {
    cell,
    runs: runs.length,
    eligible: eligible.length,
    picks: selection.ranking.length,
    duplicates: duplicateOf.size,
    scoreSum: reports.reduce((sum, { score }) => sum + score, 0),
    neighbors: graph.neighbors,
    baseline: selection.baseline,
    coverage: selection.coverage,
    coverageByPick: isOnly ? selection.coverageByPick : [],
    knee: selection.knee,
  };
}

/**
 * Scores runs by their novelty in the corpus, approximated by the most similar runs, which are in
 * the same cell.
 */
function scoreRuns({ plan, shards, runs }: Cell, graph: SimilarityGraph): ScoreReport[] {
  const novelty = corpusNovelty(graph, plan.facts.runs);
  const formula = shards.find(({ facts }) => facts.formula !== null)?.facts
    .formula as FormulaIdentity;
  const weights = Object.assign({}, ...shards.map(({ facts }) => facts.weights));
  return runs.map((run, index) => {
    const value = novelty[index] as number;
    const report = {
      formula,
      profile: run.profile,
      weights: weights[run.profile],
      dimensions: {
        complexity: run.complexity,
        novelty: 0,
        toolDiversity: run.toolDiversity,
        outcomeConfidence: run.outcomeConfidence,
      },
      facts: JSON.parse(run.facts),
      overrides: JSON.parse(run.rules),
    } as unknown as ScoreReport;
    return rescore(report, { novelty: { value, report: NOVELTY } });
  });
}

const NOVELTY = { source: 'corpus', truncated: false, embedder: CORPUS_VECTORS_ID } as const;
/** Weight of a run without a grade, as in `kp select`. */
const MIDDLE = 0.5;

function qualityOf({ plan, runs }: Cell, reports: readonly ScoreReport[]): number[] | undefined {
  switch (plan.facts.choices.weighBy) {
    case 'none':
      return undefined;
    case 'score':
      return reports.map(({ score }) => score);
    case 'grade':
      return runs.map(({ grade }) => Math.min(1, Math.max(0, grade ?? MIDDLE)));
  }
}

/** Finds the run to keep in place of each duplicate. */
function duplicates(
  runs: readonly CellRun[],
  reports: readonly ScoreReport[],
  graph: SimilarityGraph,
  threshold: number,
): ReadonlyMap<number, string> {
  const merits = runs.map(({ success }, index) => ({
    success: success ?? undefined,
    score: reports[index]?.score ?? 0,
  }));
  const found = new Map<number, string>();
  for (const { representative, members } of groupDuplicates(graph, merits, { threshold })) {
    for (const { run } of members) found.set(run, runs[representative]?.trace as string);
  }
  return found;
}

function scoreRow(
  run: CellRun,
  { score, dimensions }: ScoreReport,
  { neighbors, indices, similarities }: SimilarityGraph,
  runs: readonly CellRun[],
  index: number,
  duplicateOf: string | undefined,
): ScoreRow {
  const { trace, file, line, task, success, cell } = run;
  const first = index * neighbors;
  return {
    ...{ trace, file, line, task, success, score },
    complexity: dimensions.complexity,
    novelty: dimensions.novelty,
    tool_diversity: dimensions.toolDiversity,
    outcome_confidence: dimensions.outcomeConfidence,
    nearest: neighbors === 0 ? null : (runs[indices[first] as number]?.trace as string),
    similarity: neighbors === 0 ? null : (similarities[first] as number),
    duplicate_of: duplicateOf ?? null,
    cell,
  };
}

async function writeScores(rows: readonly ScoreRow[], outputs: TaskOutputs): Promise<void> {
  const table = await createTable(await outputs.begin('scores', 'parquet'), SCORE_COLUMNS);
  const lines = await outputs.begin('scores-text', 'jsonl');
  for (const row of rows) {
    await table.add(row);
    await lines.write(jsonText(row));
  }
  await table.end();
}

async function writePicks(
  runs: readonly CellRun[],
  selection: Selection,
  reports: readonly ScoreReport[],
  quality: readonly number[] | undefined,
  outputs: TaskOutputs,
): Promise<void> {
  const table = await createTable(await outputs.begin('picks', 'parquet'), PICK_COLUMNS);
  const amounts = representedAmounts(selection);
  for (const [rank, index] of selection.ranking.entries()) {
    const run = runs[index] as CellRun;
    const { indices, values } = run.vector;
    await table.add({
      key: Buffer.from(run.key, 'hex'),
      trace: run.trace,
      shard: run.shard,
      text_offset: run.textOffset,
      text_bytes: run.textBytes,
      gain: selection.gains[rank] as number,
      amount: amounts[rank] as number,
      quality: quality?.[index] ?? 1,
      score: reports[index]?.score ?? 0,
      group: run.group,
      components: new Uint8Array(indices.buffer, indices.byteOffset, indices.byteLength),
      values: new Uint8Array(values.buffer, values.byteOffset, values.byteLength),
    });
  }
  await table.end();
}
