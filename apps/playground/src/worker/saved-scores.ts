import type { ScoredRun } from '@kp/report';

/** Writes scores with their derivations as one line of JSON each, like `kp score --json`. */
export function writeScores(runs: readonly ScoredRun[]): Blob {
  const lines = runs.map((run) => `${JSON.stringify(recordOf(run))}\n`);
  return new Blob(lines, { type: 'application/jsonl' });
}

function recordOf(run: ScoredRun): object {
  // Durations differ for the same input.
  const { elapsedMs, withinBudget, ...report } = run.report;
  const { objective = '', task, model, success, successSource, confidenceSource, file = '' } = run;
  return {
    ...report,
    run: {
      trace: report.traceId,
      objective,
      task: task ?? null,
      model: model ?? null,
      success: success ?? null,
      countedAs: run.trace?.metadata.success ?? null,
      successFrom: successSource ?? 'unknown',
      confidenceFrom: confidenceSource ?? 'unknown',
      steps: run.trace?.steps.length ?? 0,
      file,
    },
  };
}
