import { type Selection, type SelectionObjective, selectSubset } from '@kp/curation';
import { keptText, type Layout } from '../export/layouts.ts';
import { wrongUse } from '../output/errors.ts';
import type { Spill } from '../output/spill.ts';
import {
  buildCorpus,
  type Corpus,
  type CorpusRun,
  createCorpusReader,
  groupedRuns,
} from '../runs/corpus.ts';
import { openRuns } from '../runs/open-runs.ts';
import type { InputFlags } from '../runs/options.ts';
import { type GroupFlags, groupRuns } from '../runs/task-groups.ts';
import type { TaskIdentity } from '../runs/task-identity.ts';

export const QUALITIES = ['none', 'score'] as const;

/** What decides which runs are chosen, and as what they are written. */
export interface ChoiceFlags extends InputFlags, GroupFlags {
  readonly top?: number;
  /** The layout of what is written. */
  readonly to: Layout;
  readonly objective: SelectionObjective;
  readonly quality: (typeof QUALITIES)[number];
  readonly perGroup?: number;
  readonly minGain?: number;
  /** False for `--no-outcomes`. */
  readonly outcomes: boolean;
  readonly seededBy?: string;
  readonly quiet?: boolean;
}

/** Which runs were chosen from what. Runs are indices into the corpus. */
export interface Choice {
  readonly corpus: Corpus;
  /** The task of each run, or whatever they are grouped by. */
  readonly groups: TaskIdentity;
  readonly selection: Selection;
  /** Runs that could have been chosen. */
  readonly eligible: readonly number[];
  /** Runs that one has already. */
  readonly given: readonly number[];
  /** Whether outcomes decided who is eligible; false when nobody knows one, too. */
  readonly byOutcome: boolean;
}

export interface ChosenRuns {
  readonly opened: Awaited<ReturnType<typeof openRuns>>;
  readonly choice: Choice;
}

/**
 * Reads runs and chooses among them.
 *
 * @param spill - keeps every run as it would be written; left out when none is.
 * @throws the reason of the terminal's signal when it is interrupted.
 */
export async function chooseRuns(
  files: readonly string[],
  flags: ChoiceFlags,
  spill: Spill | undefined,
): Promise<ChosenRuns> {
  const opened = await openRuns(files, flags);
  const reader = createCorpusReader({
    keep: spill && { spill, textOf: (run) => keptText(run, flags.to) },
  });
  const runs = await reader.read(opened);
  const given = flags.seededBy === undefined ? [] : await readGiven(flags, flags.seededBy, reader);
  opened.terminal.stopped.throwIfAborted();
  const corpus = await buildCorpus([...runs, ...given], reader.vectors(), opened.terminal.stopped);
  return { opened, choice: choose(corpus, new Set(given), flags) };
}

async function readGiven(
  flags: ChoiceFlags,
  path: string,
  reader: ReturnType<typeof createCorpusReader>,
): Promise<CorpusRun[]> {
  const opened = await openRuns([path], { ...flags, quiet: true });
  try {
    const runs = await reader.read(opened);
    if (runs.length > 0) return runs;
    throw wrongUse(`--seeded-by ${path}`, 'at least one run', 'none');
  } finally {
    opened.terminal.release();
  }
}

function choose(corpus: Corpus, givenRuns: ReadonlySet<CorpusRun>, flags: ChoiceFlags): Choice {
  const { runs, graph, reports } = corpus;
  const indices = [...runs.keys()];
  const isGiven = (run: number): boolean => givenRuns.has(runs[run] as CorpusRun);
  const own = indices.filter((run) => !isGiven(run));
  const given = indices.filter(isGiven);
  const successOf = (run: number): boolean | null => (runs[run] as CorpusRun).fields.success;
  const byOutcome = flags.outcomes && own.some((run) => successOf(run) !== null);
  const eligible = byOutcome ? own.filter((run) => successOf(run) === true) : own;
  const groups = groupRuns(groupedRuns(corpus), flags.groupBy);
  const selection = selectSubset(graph, {
    k: flags.top ?? runs.length,
    eligible,
    given,
    objective: flags.objective,
    minGain: flags.minGain,
    quality: flags.quality === 'score' ? reports.map(({ score }) => score) : undefined,
    groups: groups.keys,
    maxPerGroup: flags.perGroup,
  });
  return { corpus, groups, selection, eligible, given, byOutcome };
}
