import { createOutput } from '../output/output.ts';
import type { Colors } from '../output/terminal.ts';
import { count, fit, grouped, oneLine, percent } from '../output/text.ts';
import { groupNotes } from '../runs/task-groups.ts';
import type { Choice } from './choose-runs.ts';

const NAME_WIDTH = 40;
const NAMES_SHOWN = 8;
const CURVE_POINTS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];

/** What was chosen from what, what was left out and why, and where more picks stop paying. */
export function describeChoice(choice: Choice, k: number | undefined, colors: Colors): string[] {
  const { corpus, selection, eligible, given } = choice;
  const own = corpus.runs.length - given.length;
  if (own === 0) return ['no runs to choose from'];
  return [
    `${colors.bold(`chose ${grouped(selection.ranking.length)} of ${count(own, 'run')}`)}` +
      (given.length > 0 ? `, to add to the ${count(given.length, 'run')} given` : ''),
    eligibleLine(choice),
    ...taskLines(choice),
    `stands for ${percent(selection.coverage)} of the corpus${
      corpus.runs.length < 2
        ? ''
        : `; two runs of it are ${selection.baseline.toFixed(2)} similar by the median, which counts as nothing`
    }`,
    ...gainLines(choice),
    ...endLine(choice, k, eligible.length),
  ];
}

function eligibleLine({ corpus, eligible, given, byOutcome }: Choice): string {
  const own = corpus.runs.length - given.length;
  if (!byOutcome) {
    const known = corpus.runs.some(({ fields }) => fields.success !== null);
    return known
      ? `all of them could be chosen, failures too (--no-outcomes)`
      : 'no outcome is known, so that all of them could be chosen; --labels or --success give them';
  }
  const others = new Set([...eligible, ...given]);
  const left = corpus.runs.filter((_, run) => !others.has(run));
  const failed = left.filter(({ fields }) => fields.success === false).length;
  const unknown = left.length - failed;
  const reasons = [
    ...(failed > 0 ? [`${grouped(failed)} failed`] : []),
    ...(unknown > 0 ? [`${grouped(unknown)} without a verdict`] : []),
  ];
  const why = reasons.length === 0 ? '' : `; left out: ${reasons.join(', ')}`;
  return `${grouped(eligible.length)} of ${grouped(own)} verifiably succeeded and could be chosen${why}`;
}

function taskLines({ corpus, groups, selection, eligible }: Choice): string[] {
  const labels = new Map(groups.keys.map((key, run) => [key, groups.labels[run] ?? key]));
  const tasksOf = (runs: Iterable<number>): Set<string> =>
    new Set([...runs].map((run) => groups.keys[run] ?? ''));
  const all = tasksOf(corpus.runs.keys());
  const chosen = tasksOf(selection.ranking);
  const possible = tasksOf(eligible);
  const lines = [`${grouped(chosen.size)} of ${count(all.size, 'task')} covered`];
  const without = [...all]
    .filter((task) => !possible.has(task))
    .map((task) => labels.get(task) ?? task)
    .sort();
  if (without.length > 0 && possible.size > 0) {
    lines.push(`without a run to choose: ${count(without.length, 'task')} (${namesOf(without)})`);
  }
  return [...lines, ...groupNotes(groups)];
}

function namesOf(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_SHOWN).map((name) => fit(oneLine(name), NAME_WIDTH));
  return `${shown.join('; ')}${names.length > NAMES_SHOWN ? '; …' : ''}`;
}

function gainLines({ selection }: Choice): string[] {
  const { gains, knee } = selection;
  if (gains.length === 0) return [];
  const total = gains.reduce((sum, gain) => sum + gain, 0);
  const share = (picks: number): string =>
    percent(gains.slice(0, picks).reduce((sum, gain) => sum + gain, 0) / total);
  const points = CURVE_POINTS.filter((picks) => picks < gains.length);
  const curve = [...points, gains.length].map((picks) => `${grouped(picks)}: ${share(picks)}`);
  const lines = [`gain by picks   ${curve.join('   ')}`];
  if (gains.length > 2) {
    lines.push(
      `more picks pay less from ${grouped(knee)} on: those give ${share(knee)} of the gain`,
    );
  }
  return lines;
}

function endLine({ selection }: Choice, k: number | undefined, eligible: number): string[] {
  const { ranking } = selection;
  if (k === undefined || ranking.length >= k) return [];
  if (ranking.length === eligible) return ['every run that could be chosen was'];
  return [
    `ended before ${grouped(k)}: no other run adds enough (copies, full groups or --min-gain)`,
  ];
}

/** One line a chosen run, best first. */
export async function printRanking({ corpus, selection }: Choice): Promise<void> {
  const output = createOutput(process.stdout);
  const represents = new Map<number, number>();
  for (const by of selection.representedBy) represents.set(by, (represents.get(by) ?? 0) + 1);
  for (const [index, run] of selection.ranking.entries()) {
    const { trace: id, ...fields } = corpus.runs[run]?.fields ?? { trace: '' };
    const line = {
      id,
      rank: index + 1,
      gain: selection.gains[index],
      represents: represents.get(run) ?? 0,
      score: corpus.reports[run]?.score,
      ...fields,
    };
    await output.json(line);
  }
}
