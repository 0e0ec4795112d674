import {
  composeReport,
  composeReportOfScores,
  type ReportComparison,
  type ReportContent,
  type ReportData,
  type ScoredRun,
} from '@kp/report';
import { count } from '../output/text.ts';
import type { TextMask } from '../report/text-mask.ts';
import { type Corpus, groupedRuns, withoutContent } from '../runs/corpus.ts';
import { groupRuns } from '../runs/task-groups.ts';
import type { Comparison } from '../scoring/comparison.ts';

/** The page of scores that were kept without their runs. */
export function reportOfScores(runs: readonly ScoredRun[], content: ReportContent): ReportData {
  const text =
    'This page was made from saved scores. Pass the recordings to add the map and the recommended runs.';
  return composeReportOfScores(runs, { ...content, notes: [{ level: 'note', text }] });
}

/**
 * Everything that the page of a corpus shows.
 *
 * @param mask - for pages with texts or objectives.
 */
export async function reportOf(
  corpus: Corpus,
  content: ReportContent,
  mask?: TextMask,
): Promise<ReportData> {
  const { graph, vectors } = corpus;
  const runs = await scoredRuns(corpus, mask);
  const graded = runs.filter(({ successSource }) => successSource === 'graded').length;
  const notes = [...(content.notes ?? [])];
  if (graded > 0) {
    notes.unshift({
      level: 'note',
      text: `${count(graded, 'run')} with a grade instead of a verdict (--pass-at sets the limit)`,
    });
  }
  const notScanned = mask?.notScanned() ?? 0;
  if (notScanned > 0) {
    const text = `${count(notScanned, 'run')} could not be scanned for secrets: without texts`;
    notes.unshift({ level: 'warning', text });
  }
  return composeReport(
    { runs, graph, vectors: 'kind' in vectors ? vectors.rows : vectors },
    { ...content, notes, masked: mask?.found() },
  );
}

/** The runs of a corpus as the page takes them, in the order of the corpus. */
async function scoredRuns(corpus: Corpus, mask?: TextMask): Promise<ScoredRun[]> {
  const { runs, reports } = corpus;
  const { labels } = groupRuns(groupedRuns(corpus), 'task');
  const scored: ScoredRun[] = [];
  for (const [index, { run, fields, removedCharacters }] of runs.entries()) {
    const report = reports[index];
    if (report === undefined) continue;
    const { task, model, success, successFrom, confidenceFrom, file } = fields;
    const trace = mask === undefined ? run.trace : await mask.mask(run.trace);
    scored.push({
      report,
      trace: trace ?? { ...withoutContent(run.trace), task: { objective: '' } },
      file,
      task: task === null ? undefined : labels[index],
      model: model ?? undefined,
      success: success ?? undefined,
      successSource: successFrom,
      confidenceSource: confidenceFrom,
      removedCharacters,
    });
  }
  return scored;
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
