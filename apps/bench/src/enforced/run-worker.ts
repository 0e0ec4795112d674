import { lastConsumed } from '../measurement/sink.ts';
import { timeBesideReference } from '../measurement/time-beside-reference.ts';
import type { RowResult } from './attempt.ts';
import { memoryPerVector } from './cache-cases.ts';
import { createCase } from './cases.ts';
import { isRowId, LATENCY_TABLE, type RowId } from './latency-table.ts';
import type { Subjects } from './subjects.ts';

/** Measures a row in this process, prints its {@link RowResult} as JSON, and ends the process. */
export async function runWorker(subjects: Subjects, id: string | undefined): Promise<never> {
  if (id === undefined || !isRowId(id)) throw new RangeError(`row: expected an id, received ${id}`);
  console.log(JSON.stringify(await measureRow(subjects, id)));
  // Embedders may hold threads that would keep the process alive.
  process.exit(0);
}

async function measureRow(subjects: Subjects, id: RowId): Promise<RowResult> {
  if (id === 'memory-per-vector') return { id, value: memoryPerVector() };
  const { reference } = LATENCY_TABLE[id];
  const found = createCase(id, subjects);
  if ('notMeasured' in found) return { id, ...found };
  if (reference === 'process' || reference === 'none') {
    throw new RangeError(`${id}: expected a reference loop, received ${reference}`);
  }
  const { nanoseconds, ratio } = await timeBesideReference({ ...found, reference });
  if (lastConsumed() === undefined) throw new Error(`${id}: expected a result, received none`);
  return { id, value: nanoseconds, ratio };
}
