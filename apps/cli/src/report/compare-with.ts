import type { ReportComparison, ScoredRun } from '@kp/report';
import type { SpilledText } from '../output/spill.ts';
import { type Corpus, type CorpusReaderOptions, readCorpus } from '../runs/corpus.ts';
import { type OpenedRuns, openRuns } from '../runs/open-runs.ts';
import type { InputFlags } from '../runs/options.ts';
import { createRunSet, type RunSet } from '../scoring/comparison.ts';
import { crashedNotes, reportComparison, scoredRuns } from './report-content.ts';
import type { TextMask } from './text-mask.ts';

/** The runs of the page, and how their texts are kept and masked. */
interface ComparedWith {
  readonly corpus: Corpus;
  readonly opened: OpenedRuns;
  readonly mask: TextMask | undefined;
  readonly keep: CorpusReaderOptions['keep'];
  /** What the page calls these runs. */
  readonly name: string;
}

/** The comparison with a base, and the runs of the base. */
interface Compared {
  readonly comparison: ReportComparison;
  readonly runs: readonly ScoredRun[];
  readonly places: readonly (SpilledText | undefined)[];
}

/** Reads the base and scores it as its own corpus, so that neither set is new at the other's cost. */
export async function compareWith(
  base: string,
  flags: InputFlags & { readonly includeText?: boolean },
  { corpus, opened, mask, keep, name }: ComparedWith,
): Promise<Compared> {
  const openedBase = await openRuns([base], { ...flags, quiet: true });
  const baseCorpus = await readCorpus(openedBase, { withContent: flags.includeText, keep });
  openedBase.close();
  const next = setOf(corpus, opened);
  const sets = { base: setOf(baseCorpus, openedBase), next, shown: placesOf(corpus).length };
  return {
    comparison: {
      ...reportComparison(sets, base, name),
      crashed: [
        ...crashedNotes('before', openedBase.crashed()),
        ...crashedNotes('after', opened.crashed()),
      ],
    },
    runs: await scoredRuns(baseCorpus, mask),
    places: placesOf(baseCorpus),
  };
}

/** The scored runs in the order of the page, then those that crashed. */
function setOf({ runs, reports }: Corpus, opened: OpenedRuns): RunSet {
  const set = createRunSet();
  for (const [index, { run, fields }] of runs.entries()) {
    const report = reports[index];
    if (report !== undefined) set.add({ report, run, fields });
  }
  for (const crashed of opened.crashed()) set.addCrashed(crashed);
  return set;
}

/** Where the traces of the runs are that the page shows, in its order. */
export function placesOf({ runs, reports }: Corpus): readonly (SpilledText | undefined)[] {
  return runs.flatMap(({ kept }, index) => (reports[index] === undefined ? [] : [kept]));
}
