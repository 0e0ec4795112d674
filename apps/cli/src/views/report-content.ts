import {
  composeReport,
  composeReportOfScores,
  type ReportComparison,
  type ReportContent,
  type ReportData,
  type ScoredRun,
} from '@kp/report';
import { count } from '../output/text.ts';
import { type Corpus, groupedRuns } from '../runs/corpus.ts';
import { groupRuns } from '../runs/task-groups.ts';
import type { TaskIdentity } from '../runs/task-identity.ts';
import type { Comparison } from '../scoring/comparison.ts';

/** The page of scores that were kept without their runs. */
export function reportOfScores(runs: readonly ScoredRun[], content: ReportContent): ReportData {
  const text = 'Made of saved scores: for the map and the runs to read, give the recordings.';
  return composeReportOfScores(runs, { ...content, notes: [{ level: 'note', text }] });
}

/** Everything that the page of a corpus shows. */
export function reportOf(corpus: Corpus, content: ReportContent): Promise<ReportData> {
  const { graph, vectors } = corpus;
  const tasks = groupRuns(groupedRuns(corpus), 'task');
  const runs = scoredRuns(corpus, tasks);
  const graded = runs.filter(({ successSource }) => successSource === 'graded').length;
  const text = `${count(graded, 'run')} with a grade for a verdict`;
  const grades = graded === 0 ? [] : [{ level: 'note' as const, text }];
  return composeReport(
    { runs, graph, vectors: 'kind' in vectors ? vectors.rows : vectors },
    { ...content, notes: [...grades, ...(content.notes ?? [])] },
  );
}

function scoredRuns({ runs, reports }: Corpus, { labels }: TaskIdentity): ScoredRun[] {
  return runs.flatMap(({ run, fields, removedCharacters }, index): ScoredRun[] => {
    const report = reports[index];
    if (report === undefined) return [];
    const { task, model, success, successFrom, confidenceFrom, file, objective } = fields;
    return [
      {
        report,
        trace: run.trace,
        file,
        objective,
        task: task === null ? undefined : labels[index],
        model: model ?? undefined,
        success: success ?? undefined,
        successSource: successFrom,
        confidenceSource: confidenceFrom,
        removedCharacters,
      },
    ];
  });
}

/** A comparison of two sets of runs as the page draws it. */
export function reportComparison(
  comparison: Comparison,
  base: string,
  next: string,
): ReportComparison {
  const { tasks, wins, losses, ties, meanDifference, interval, unmatched } = comparison;
  return {
    before: base,
    after: next,
    tasks: tasks.map(({ task, objective, base: before, new: after }) => ({
      task: task ?? objective,
      before: before.score,
      after: after.score,
    })),
    wins,
    losses,
    ties,
    difference: meanDifference ?? 0,
    interval: [interval?.low ?? 0, interval?.high ?? 0],
    onlyBefore: unmatched.base.tasks,
    onlyAfter: unmatched.new.tasks,
  };
}
