import { CORPUS_VECTORS_ID } from '@kp/curation';
import { wrongUse } from '../output/errors.ts';
import { VERSION } from '../output/version.ts';
import {
  CORPUS_FORMAT,
  type DoneTask,
  digestOf,
  doneName,
  findDone,
  missingTask,
  sealRecord,
} from './done-task.ts';
import type { Store } from './store.ts';
import { createOutputs, type TaskOutputs } from './task-outputs.ts';

/** A unit of work whose outputs do not depend on where or how often it runs. */
export interface Task<Facts> {
  /** Predictable name, such as `map-00003-of-00016`. */
  readonly name: string;
  /** Everything that the outputs depend on, except the versions. */
  readonly inputs: unknown;
  /** Called if the task is already complete. Throws if its result no longer applies. */
  readonly check?: (done: DoneTask<Facts>) => Promise<void>;
  /** Computes the outputs. */
  work(outputs: TaskOutputs): Promise<Facts>;
}

/**
 * Runs a task unless it is already complete, and records it.
 *
 * @returns The record, and whether the task had to run.
 * @throws UsageError if a task of the same name is complete for other inputs, and OutputError if an
 * output cannot be written.
 */
export async function runTask<Facts>(
  store: Store,
  task: Task<Facts>,
): Promise<{ readonly done: DoneTask<Facts>; readonly isNew: boolean }> {
  const inputs = digestOf([CORPUS_FORMAT, VERSION, CORPUS_VECTORS_ID, task.name, task.inputs]);
  const earlier = await findDone<Facts>(store, task.name);
  if (earlier !== undefined) {
    checkInputs(store, earlier, inputs);
    await task.check?.(earlier);
    return { done: earlier, isNew: false };
  }
  const startedAt = performance.now();
  const files = createOutputs(store, `${task.name}.${inputs.slice(0, 12)}`);
  try {
    const facts = await task.work(files);
    const done = sealRecord<Facts>({
      format: CORPUS_FORMAT,
      task: task.name,
      kp: VERSION,
      vectors: CORPUS_VECTORS_ID,
      inputs,
      outputs: await files.keep(),
      facts,
      seconds: Math.round(performance.now() - startedAt) / 1000,
      finishedAt: new Date().toISOString(),
    });
    if (await store.create(doneName(task.name), `${JSON.stringify(done)}\n`)) {
      return { done, isNew: true };
    }
  } finally {
    await files.discard();
  }
  // Another process finished first.
  const other = await findDone<Facts>(store, task.name);
  if (other === undefined) throw missingTask(store, task.name);
  checkInputs(store, other, inputs);
  return { done: other, isNew: false };
}

function checkInputs(store: Store, { task, inputs }: DoneTask<unknown>, own: string): void {
  if (inputs === own) return;
  throw wrongUse(
    `${store.location}/${doneName(task)}`,
    'the same inputs and options as before',
    'different ones',
    'use another folder, or remove this file and the .done files of later stages to compute them again',
  );
}
