import {
  buildSimilarityGraph,
  neighborsFor,
  picksPerCell,
  type SimilarityGraph,
  selectSubset,
  withoutGaps,
} from '@kp/curation';
import { qualityOf, writePicks } from './cell-picks.ts';
import { type CellRows, type CellRun, readCellRuns } from './cell-rows.ts';
import {
  type CellOfRuns,
  type ComparedRuns,
  findDuplicates,
  scoreRuns,
  writeScores,
} from './cell-scores.ts';
import {
  contentOf,
  type DoneTask,
  findDone,
  missingTask,
  PLAN_TASK,
  readDone,
  taskName,
} from './done-task.ts';
import { MOST_CELL_RUNS, type PlanFacts } from './plan-stage.ts';
import { readShards } from './shards.ts';
import type { Store } from './store.ts';
import type { StageControl } from './supervised-stage.ts';
import type { TaskOutputs } from './task-outputs.ts';
import { runTask } from './tasks.ts';

/** The record of a cell. */
export interface CellFacts {
  readonly cell: number;
  readonly runs: number;
  readonly eligible: number;
  readonly picks: number;
  readonly duplicates: number;
  readonly scoreSum: number;
  readonly neighbors: number;
  /** Runs of other cells that were compared as well. */
  readonly guests: number;
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
  control: StageControl,
): Promise<void> {
  const plan = await readDone<PlanFacts>(store, PLAN_TASK);
  const shards = await readShards(store);
  const cells = plan.facts.cells.length;
  const own = cellsOf(cells, shard, of);
  for (const batch of batches(own, plan.facts.cells)) {
    const open: number[] = [];
    for (const cell of batch) {
      const name = taskName('cell', cell, cells);
      if ((await findDone(store, name)) === undefined) open.push(cell);
    }
    const startedAt = performance.now();
    const runs = open.length === 0 ? NO_RUNS : await readCellRuns(store, shards, plan, open);
    const readSeconds = (performance.now() - startedAt) / 1000 / Math.max(1, open.length);
    for (const cell of batch) {
      control.signal.throwIfAborted();
      const rows = runs.get(cell);
      const { done, isNew } = await runTask<CellFacts>(store, {
        name: taskName('cell', cell, cells),
        inputs: [contentOf(plan), cell],
        secondsBefore: readSeconds,
        async work(outputs) {
          if (rows === undefined) throw missingTask(store, taskName('cell', cell, cells));
          return computeCell({ plan, shards, cell, ...rows, control }, outputs);
        },
      });
      // The garbage collector can take them while the next cell is computed.
      rows?.runs.splice(0);
      rows?.guests.splice(0);
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
const NO_RUNS: ReadonlyMap<number, CellRows> = new Map();
/** Number of neighbours for novelty; those beyond change it little, see `corpusNovelty`. */
const NOVELTY_NEIGHBORS = 64;

interface Cell extends CellOfRuns {
  readonly cell: number;
  readonly guests: readonly CellRun[];
  readonly control: StageControl;
}

async function computeCell(input: Cell, outputs: TaskOutputs): Promise<CellFacts> {
  const { plan, cell, runs, guests } = input;
  const { choices, cells, baseline } = plan.facts;
  const isOnly = cells.length === 1;
  // With a single cell, use the number of neighbours of `kp select`, for the same result.
  const neighbors = isOnly ? undefined : neighborsFor(runs.length);
  const graph = await compareRuns(runs, neighbors, input);
  const compared = await withGuests(graph, input);
  const reports = scoreRuns(input, compared);
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
  const duplicateOf = findDuplicates(runs, reports, graph, choices.threshold);
  await writeScores(reports, compared, duplicateOf, outputs);
  await writePicks(runs, selection, reports, quality, outputs);
  return {
    cell,
    runs: runs.length,
    eligible: eligible.length,
    picks: selection.ranking.length,
    duplicates: duplicateOf.size,
    scoreSum: reports.reduce((sum, { score }) => sum + score, 0),
    neighbors: graph.neighbors,
    guests: guests.length,
    baseline: selection.baseline,
    coverage: selection.coverage,
    coverageByPick: isOnly ? selection.coverageByPick : [],
    knee: selection.knee,
  };
}

/** The runs of the cell, compared also with its guests. */
async function withGuests(graph: SimilarityGraph, cell: Cell): Promise<ComparedRuns> {
  const { runs, guests } = cell;
  if (guests.length === 0) return { graph, runs };
  const all = [...runs, ...guests];
  return { graph: await compareRuns(all, NOVELTY_NEIGHBORS, cell), runs: all };
}

function compareRuns(
  runs: readonly CellRun[],
  neighbors: number | undefined,
  { plan, control: { signal, progress: onProgress } }: Cell,
): Promise<SimilarityGraph> {
  // Other processes compute other cells at the same time.
  const threads = plan.facts.cells.length === 1 ? undefined : 1;
  return buildSimilarityGraph(withoutGaps(runs.map(({ vector }) => vector)), {
    keys: runs.map(({ key }) => key),
    ...{ neighbors, threads, signal, onProgress },
  });
}
