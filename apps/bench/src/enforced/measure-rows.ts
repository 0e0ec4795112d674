import { runProgram } from '../fresh/run-program.ts';
import type { MeasureRows, RowResult } from './attempt.ts';
import { LATENCY_TABLE } from './latency-table.ts';
import { measureStartRow } from './start-rows.ts';

/**
 * Measures each row in processes of its own: what a compiler learns of one part must not change how
 * it compiles another.
 */
export const measureRows: MeasureRows = async (ids) => {
  const results: RowResult[] = [];
  for (const id of ids) {
    const isStart = LATENCY_TABLE[id].reference === 'process';
    results.push(isStart ? await measureStartRow(id) : await measureInWorker(id));
  }
  return results;
};

async function measureInWorker(id: string): Promise<RowResult> {
  return JSON.parse(await runProgram('enforced/worker', [id])) as RowResult;
}
