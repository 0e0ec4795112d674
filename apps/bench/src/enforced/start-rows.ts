import { median } from 'simple-statistics';
import { measureStarts } from '../fresh/measure-starts.ts';
import { runProgram } from '../fresh/run-program.ts';
import { findTransformersModel } from '../inputs/models.ts';
import type { RowResult } from './attempt.ts';
import type { RowId } from './latency-table.ts';

const ROUNDS = 9;
const FIRST_CALLS = 5;

/** Measures a row that needs fresh processes, beside the fixed program `reference`. */
export async function measureStartRow(id: RowId): Promise<RowResult> {
  return id === 'import-facade' ? measureImport(id) : measureFirstCall(id);
}

async function measureImport(id: RowId): Promise<RowResult> {
  const starts = await measureStarts(['empty', 'reference', 'import-facade'], ROUNDS);
  const value = (starts['import-facade'] - starts.empty) * 1e6;
  return { id, value, ratio: value / ((starts.reference - starts.empty) * 1e6) };
}

async function measureFirstCall(id: RowId): Promise<RowResult> {
  const model = findTransformersModel();
  if (model.kind === 'missing') return { id, notMeasured: model.reason };
  const words = model.kind === 'folder' ? [model.path] : [];
  const times: number[] = [];
  const references: number[] = [];
  for (let call = 0; call < FIRST_CALLS; call++) {
    times.push(Number(await runProgram('fresh/first-embedding', words)) * 1e6);
    const starts = await measureStarts(['empty', 'reference'], 1);
    references.push((starts.reference - starts.empty) * 1e6);
  }
  const value = median(times);
  return { id, value, ratio: value / median(references) };
}
