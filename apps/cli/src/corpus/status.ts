import type { CellFacts } from './cell-stage.ts';
import {
  type DoneTask,
  doneName,
  findDone,
  PLAN_TASK,
  readDone,
  SAMPLE_TASK,
  shardsInName,
  taskName,
} from './done-task.ts';
import { placedShards } from './given-stage.ts';
import type { PlaceFacts } from './place-stage.ts';
import type { PlanFacts } from './plan-stage.ts';
import type { MapFacts } from './read-shard.ts';
import type { SampleFacts } from './sample-stage.ts';
import type { Store } from './store.ts';
import { sumOf } from './sum-of.ts';

/** Progress of a stage. */
export interface StageStatus {
  readonly stage: 'map' | 'plan' | 'place' | 'cell' | 'sample';
  /** Null if not known yet, because the plan decides the number of cells. */
  readonly tasks: number | null;
  readonly done: number;
  /** Number of runs in the complete tasks. */
  readonly runs: number;
  /** Work time of the complete tasks together. */
  readonly seconds: number;
  /** Names of the tasks that are not complete, at most ten. */
  readonly missing: readonly string[];
}

export interface CorpusStatus {
  readonly location: string;
  readonly stages: readonly StageStatus[];
  /** Estimated work time of the incomplete tasks that are known, on one core; null if unknown. */
  readonly secondsLeft: number | null;
}

const MOST_NAMED = 10;

/** Reads the progress of the work on a corpus. */
export async function corpusStatus(store: Store): Promise<CorpusStatus> {
  const names = await store.list();
  const shards = names.map(shardsInName).find((amount) => amount !== undefined);
  const read = { store, names: new Set(names) };
  const map = await stageOf<MapFacts>(read, 'map', shards ?? null);
  const plan = await findDone<PlanFacts>(store, PLAN_TASK);
  const cells = await stageOf<CellFacts>(read, 'cell', plan?.facts.cells.length ?? null);
  const shardsToPlace = plan === undefined ? null : placedShards(plan.facts);
  const places = await stageOf<PlaceFacts>(read, 'place', shardsToPlace);
  const sample = await findDone<SampleFacts>(store, SAMPLE_TASK);
  const stages = [
    map,
    singleStage('plan', plan, plan?.facts.runs ?? 0),
    places,
    cells,
    singleStage('sample', sample, sample?.facts.shown ?? 0),
  ];
  const left = [map, places, cells].map(timeLeft);
  const secondsLeft = left.includes(null) ? null : sumOf(left, (value) => value ?? 0);
  return { location: store.location, stages, secondsLeft };
}

/** A stage with one task. */
function singleStage(
  stage: 'plan' | 'sample',
  task: DoneTask<unknown> | undefined,
  runs: number,
): StageStatus {
  const done = task === undefined ? 0 : 1;
  return { stage, tasks: 1, done, runs, seconds: task?.seconds ?? 0, missing: done ? [] : [stage] };
}

/** A store and the names of its objects. */
interface ReadStore {
  readonly store: Store;
  readonly names: ReadonlySet<string>;
}

/** Takes time for the complete tasks only: a store on a server is slow, and `--of` may be large. */
async function stageOf<Facts extends { readonly runs: number }>(
  { store, names }: ReadStore,
  stage: 'map' | 'place' | 'cell',
  tasks: number | null,
): Promise<StageStatus> {
  const amount = tasks ?? 0;
  const done: DoneTask<Facts>[] = [];
  for (const name of names) {
    const task = taskName(stage, Number(/\d+/.exec(name)), amount);
    if (name === doneName(task)) done.push(await readDone<Facts>(store, task));
  }
  const missing: string[] = [];
  for (let index = 0; index < amount && missing.length < MOST_NAMED; index++) {
    const name = taskName(stage, index, amount);
    if (!names.has(doneName(name))) missing.push(name);
  }
  return {
    stage,
    tasks,
    done: done.length,
    runs: sumOf(done, ({ facts }) => facts.runs),
    seconds: sumOf(done, ({ seconds }) => seconds),
    missing,
  };
}

/** Estimates the work time of the missing tasks from that of the complete ones. */
export function timeLeft({ tasks, done, seconds }: StageStatus): number | null {
  if (tasks === null || (done === 0 && tasks > 0)) return null;
  return done === 0 ? 0 : (seconds / done) * (tasks - done);
}
