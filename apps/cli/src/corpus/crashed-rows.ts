import { jsonText } from '../output/text.ts';
import type { CrashedRun } from '../runs/run.ts';
import { createTable } from './columns.ts';
import { SCORE_COLUMNS, type ScoreRow } from './tables.ts';
import type { TaskOutputs } from './task-outputs.ts';

/** Writes the runs of a shard that crashed before their first step as rows of the table of scores. */
export async function writeCrashed(
  crashed: readonly CrashedRun[],
  outputs: TaskOutputs,
): Promise<void> {
  const table = await createTable(await outputs.begin('crashed', 'parquet'), SCORE_COLUMNS);
  const lines = await outputs.begin('crashed-text', 'jsonl');
  for (const run of crashed) {
    const row = crashedRow(run);
    await table.add(row);
    await lines.write(jsonText(row));
  }
  await table.end();
}

function crashedRow({ fields, reason }: CrashedRun): ScoreRow {
  const { trace, file, line, task, success } = fields;
  return {
    trace,
    file,
    line,
    task,
    success,
    score: null,
    complexity: null,
    novelty: null,
    tool_diversity: null,
    outcome_confidence: null,
    nearest: null,
    similarity: null,
    duplicate_of: null,
    cell: null,
    kind: 'crashed',
    reason,
  };
}
