import { spendValues, type UnpackBudget } from './containers/limits.ts';
import { PROBLEM, RUN } from './containers/made-values.ts';
import { DamagedArchiveError, describeProblem } from './errors.ts';
import type { ImportedTrace } from './import-traces.ts';

/** Beyond so many, nothing in an input is a recording. */
const MOST_PROBLEMS_IN_A_ROW = 50_000;

/** Passes on what is read until so much in a row was no recording that the rest is not worth it. */
export async function* untilHopeless(
  items: AsyncGenerator<ImportedTrace>,
): AsyncGenerator<ImportedTrace> {
  let problems = 0;
  for await (const item of items) {
    yield item;
    problems = item.kind === 'error' ? problems + 1 : 0;
    if (problems < MOST_PROBLEMS_IN_A_ROW) continue;
    const { line, file } = item;
    const received = `${problems} values in a row that are none`;
    const remark = 'the rest of the input is not read';
    const error = describeProblem('UNKNOWN_FORMAT', { line }, 'recordings', received, remark);
    yield { kind: 'error', file, line, error };
    return;
  }
}

/** Passes on what is read as long as it is in proportion to what it was unpacked from. */
export async function* untilSpent(
  items: AsyncGenerator<ImportedTrace>,
  budget: UnpackBudget,
): AsyncGenerator<ImportedTrace> {
  for await (const item of items) {
    yield item;
    if (!budget.isPacked || budget.values < 0) continue;
    try {
      spendValues(budget, item.kind === 'error' ? PROBLEM : RUN);
    } catch (error) {
      if (!(error instanceof DamagedArchiveError)) throw error;
      const { line, file } = item;
      const { code, expected, received } = error;
      const remark = 'what came before was read';
      const problem = describeProblem(code, { line }, expected, received, remark);
      yield { kind: 'error', file, line, error: problem };
      return;
    }
  }
}
