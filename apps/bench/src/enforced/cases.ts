import type { MeasuredCase } from '../measurement/measured-case.ts';
import { createCacheCase } from './cache-cases.ts';
import { createEvaluationCase } from './evaluation-cases.ts';
import type { RowId } from './latency-table.ts';
import { createPartCase } from './part-cases.ts';
import type { Subjects } from './subjects.ts';

/** What a row is timed by, but for its reference loop. */
export type RowCase = Pick<MeasuredCase, 'operations' | 'run'>;

/** Why a row cannot be measured here. */
export interface NotMeasured {
  readonly notMeasured: string;
}

/**
 * The case of a row that can be timed in blocks.
 *
 * @throws RangeError for other rows.
 */
export function createCase(id: RowId, subjects: Subjects): RowCase | NotMeasured {
  const found =
    createPartCase(id, subjects) ??
    createCacheCase(id, subjects) ??
    createEvaluationCase(id, subjects);
  if (found === undefined)
    throw new RangeError(`row: expected one timed in blocks, received ${id}`);
  return found;
}
