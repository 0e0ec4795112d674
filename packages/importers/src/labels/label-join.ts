import { LabelsError } from '../errors/errors.ts';

import type { Label, LabelFile, Labels } from './labels.ts';
import {
  assignRuns,
  type Entry,
  type EntrySet,
  isAmbiguous,
  matchEntries,
  toEntry,
} from './match-labels.ts';
import { type NamedRun, namesOf, type RunNames, runKey, type Way } from './run-names.ts';

/** How the labels and the runs of an import were joined; counts and the first few names. */
export interface LabelReport {
  /** Names of the experiments in the file of labels; empty if it has one without a name. */
  readonly sets: readonly string[];
  /** Those of which no run has a label: they are about other runs, and not counted below. */
  readonly unusedSets: readonly string[];
  /** What names in the labels were taken for; undefined where the columns say it. */
  readonly joinedBy?: Way;
  /** How many labels there are. */
  readonly labels: number;
  /** How many of them a run has. */
  readonly used: number;
  /** How many of them fit no run. */
  readonly unmatchedCount: number;
  /** The first ten of them, by the names that they give. */
  readonly unmatched: readonly string[];
  /** How many of them fit several runs, and label none. */
  readonly ambiguousCount: number;
  /** The first ten of them, with how many runs they fit. */
  readonly ambiguous: readonly { readonly label: string; readonly runs: number }[];
  /** What the runs that one label fits differ by: `trial`, `file`, `model`, `domain` or `line`. */
  readonly distinguishedBy: readonly string[];
  /** How many runs have no label. */
  readonly runsWithoutCount: number;
  /** Ids of the first ten of them. */
  readonly runsWithout: readonly string[];
}

/** Finds the label of each run of an import. */
export interface LabelJoin {
  /** Learns the names of a run. All runs come here before the first one is looked up. */
  note(run: NamedRun): void;
  /** @throws {@link LabelsError} when it is not clear which labels are meant. */
  find(run: NamedRun): Label | undefined;
  report(): LabelReport;
}

const MOST_NAMES = 10;

/**
 * Joins labels to runs. Every column that names a run must fit. A label is for one run: a label that
 * fits several labels none of them.
 */
export function joinLabels(labels: Labels | LabelFile): LabelJoin {
  const file = 'sets' in labels ? labels : fromMap(labels);
  const sets: readonly EntrySet[] = file.sets.map((set) => ({
    name: set.name,
    entries: set.labels.map((label) => toEntry(label, file.key)),
  }));
  const columns = new Set(
    sets.flatMap(({ entries }) =>
      entries.flatMap((entry) => [...entry.columns, ...Object.keys(entry.names)]),
    ),
  );
  const runs: RunNames[] = [];
  const runsWithout: string[] = [];
  let runsWithoutCount = 0;
  let joinedBy: Way | undefined;
  let labelOf: ReadonlyMap<string, Label> | undefined;

  function join(): ReadonlyMap<string, Label> {
    const found = new Map<string, Entry>();
    for (const { set, runs: own } of assignRuns(sets, runs)) {
      joinedBy = matchEntries(set.entries, own) ?? joinedBy;
      for (const entry of set.entries) giveLabel(entry, found);
    }
    labelOf = found;
    return found;
  }
  return {
    note: (run) => void runs.push(namesOf(run, columns)),
    find(run) {
      const label = (labelOf ?? join()).get(runKey(run));
      if (label === undefined) {
        runsWithoutCount += 1;
        if (runsWithout.length < MOST_NAMES) runsWithout.push(run.id);
      }
      return label;
    },
    report() {
      const inUse = sets.filter(({ entries }) => entries.some(({ runs: own }) => own.length > 0));
      const unusedSets = sets.filter((set) => !inUse.includes(set));
      const counted = (inUse.length === 0 ? sets : inUse).flatMap(({ entries }) => entries);
      const unmatched = counted.filter(({ runs: own }) => own.length === 0);
      const ambiguous = counted.filter(isAmbiguous);
      return {
        sets: sets.flatMap(({ name }) => name ?? []),
        unusedSets: unusedSets.flatMap(({ name }) => name ?? []),
        joinedBy,
        labels: counted.length,
        used: counted.length - unmatched.length - ambiguous.length,
        unmatchedCount: unmatched.length,
        unmatched: unmatched.slice(0, MOST_NAMES).map(nameOf),
        ambiguousCount: ambiguous.length,
        ambiguous: ambiguous.slice(0, MOST_NAMES).map((entry) => {
          return { label: nameOf(entry), runs: entry.runs.length };
        }),
        distinguishedBy: distinctions(ambiguous),
        runsWithoutCount,
        runsWithout,
      };
    },
  };
}

function fromMap(labels: ReadonlyMap<string, Label>): LabelFile {
  const entries = [...labels].map(([id, label]) => ({ ...label, names: { id } }));
  return { sets: [{ name: undefined, labels: entries }], key: [] };
}

/** @throws {@link LabelsError} when the run has another label already. */
function giveLabel(entry: Entry, labelOf: Map<string, Entry>): void {
  if (isAmbiguous(entry)) return;
  for (const { key } of entry.runs) {
    const other = labelOf.get(key);
    if (other !== undefined && !isSameLabel(other, entry)) {
      const subject = `one verdict on the run of ${nameOf(other)} and of ${nameOf(entry)}`;
      throw new LabelsError('labels', subject, 'two that differ');
    }
    labelOf.set(key, entry);
  }
}

function isSameLabel(a: Label, b: Label): boolean {
  return a.success === b.success && a.grade === b.grade && a.confidence === b.confidence;
}

const DISTINCTIONS: Readonly<Record<string, (run: RunNames) => unknown>> = {
  trial: ({ trial }) => trial,
  file: ({ path }) => path,
  model: ({ model }) => model,
  domain: ({ domain }) => domain,
};

function distinctions(ambiguous: readonly Entry[]): string[] {
  const found = Object.entries(DISTINCTIONS).flatMap(([name, partOf]) =>
    ambiguous.some(({ runs }) => new Set(runs.map(partOf)).size > 1) ? [name] : [],
  );
  return found.length > 0 || ambiguous.length === 0 ? found : ['line'];
}

function nameOf({ names, columns }: Entry): string {
  return columns.map((column) => names[column] ?? '').join('/');
}
