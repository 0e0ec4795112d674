import { LabelsError } from '../errors/errors.ts';
import type { Labels } from './labels.ts';
import {
  canonical,
  type Label,
  type LabelFile,
  type LabelSet,
  NAMING_COLUMNS,
  type RunLabel,
} from './labels.ts';

/** What a label can know a run by. */
interface NamedRun {
  readonly id: string;
  readonly source: Readonly<Record<string, string | number>>;
  readonly task: string | undefined;
  readonly domain: string | undefined;
  /** The field of the run's record that a column may be called after. */
  field(name: string): unknown;
  /** Name of the input; undefined where it has none. */
  readonly file: string | undefined;
  /** Line of the input where the run begins, from 1. */
  readonly line: number;
}

/** How the labels and the runs of an import came together; counts and the first few names. */
export interface LabelReport {
  /** Names of the experiments in the file of labels; empty where it has but one without a name. */
  readonly sets: readonly string[];
  /** Those of which no run took a label: they are of other runs, and not counted below. */
  readonly unusedSets: readonly string[];
  /** Labels there are. */
  readonly labels: number;
  /** Labels that a run took. */
  readonly used: number;
  /** Labels that no run took. */
  readonly unmatchedCount: number;
  /** The first ten of the labels that no run took, by the names they give. */
  readonly unmatched: readonly string[];
  /** Runs that found no label. */
  readonly runsWithoutCount: number;
  /** Ids of the first ten runs without a label. */
  readonly runsWithout: readonly string[];
  /** Of those, the runs whose label another run had taken: name the trial or the file. */
  readonly ambiguousCount: number;
  /** Ids of the first ten of them. */
  readonly ambiguous: readonly string[];
}

/** Finds the label of each run of an import. */
export interface LabelJoin {
  find(run: NamedRun): Label | undefined;
  report(): LabelReport;
}

const MOST_NAMES = 10;
const TRIALS = ['trial', 'epoch', 'attempt'];

interface Entry extends RunLabel {
  /** Ids of the runs that took it: one, unless the caller named the column to join by. */
  readonly takenBy: Set<string>;
}

/**
 * Joins labels to runs. Every column that names a run has to fit. A label is for one
 * run: where it names a task of several trials, or a run that is in several files, the first takes
 * it and the others are reported. By a column that the caller names, all runs that fit take it.
 *
 * @throws {@link LabelsError} when there are several sets of labels and nothing tells which is
 *   meant.
 */
export function joinLabels(labels: Labels | LabelFile): LabelJoin {
  const { sets, key } = 'sets' in labels ? labels : fromMap(labels);
  const indexes = sets.map((set) => ({ name: set.name, entries: indexSet(set, key) }));
  const report = { runsWithout: [] as string[], ambiguous: [] as string[] };
  let runsWithoutCount = 0;
  let ambiguousCount = 0;

  const note = (list: string[], id: string): void => {
    if (list.length < MOST_NAMES) list.push(id);
  };

  const chooseSet = (file: string | undefined): Map<string, Entry[]> | undefined => {
    const [only, ...others] = indexes;
    if (only !== undefined && others.length === 0) return only.entries;
    if (file === undefined) throw severalSets(sets);
    const words = file.split(/[\\/]/).map(stem);
    return indexes.find(({ name }) => name !== undefined && words.includes(stem(name)))?.entries;
  };

  return {
    find(run) {
      const entries = chooseSet(run.file);
      const fitting = namesOf(run, key)
        .flatMap((name) => entries?.get(name) ?? [])
        .filter((entry) => (key === undefined ? fits(entry, run) : true));
      const free = fitting.filter(
        (entry) => key !== undefined || entry.takenBy.size === 0 || entry.takenBy.has(run.id),
      );
      const [entry] = free;
      if (entry === undefined) {
        runsWithoutCount += 1;
        note(report.runsWithout, run.id);
        if (fitting.length > 0) {
          ambiguousCount += 1;
          note(report.ambiguous, run.id);
        }
        return undefined;
      }
      for (const taken of free) taken.takenBy.add(run.id);
      return entry;
    },
    report() {
      const isUsed = ({ takenBy }: Entry): boolean => takenBy.size > 0;
      const counted = indexes.map(({ name, entries }) => {
        return { name, entries: [...new Set([...entries.values()].flat())] };
      });
      const inUse = counted.filter(({ entries }) => entries.some(isUsed));
      const notInUse = counted.filter((set) => set.name !== undefined && !inUse.includes(set));
      const all = (inUse.length === 0 ? counted : inUse).flatMap(({ entries }) => entries);
      const unused = all.filter((entry) => !isUsed(entry));
      return {
        sets: sets.flatMap(({ name }) => name ?? []),
        unusedSets: notInUse.flatMap(({ name }) => name ?? []),
        labels: all.length,
        used: all.length - unused.length,
        unmatched: unused.slice(0, MOST_NAMES).map(({ names }) => Object.values(names).join('/')),
        unmatchedCount: unused.length,
        ...report,
        runsWithoutCount,
        ambiguousCount,
      };
    },
  };
}

function fromMap(labels: ReadonlyMap<string, Label>): { sets: LabelSet[]; key: undefined } {
  const entries = [...labels].map(([id, label]) => ({ ...label, names: { id } }));
  return { sets: [{ name: undefined, labels: entries }], key: undefined };
}

function severalSets(sets: readonly LabelSet[]): LabelsError {
  const names = sets.map(({ name }) => name ?? 'one without a name').join(', ');
  return new LabelsError('labels', 'the labels of one experiment, or the name of one', names);
}

/** Labels by the names that lead to them. */
function indexSet(set: LabelSet, key: string | undefined): Map<string, Entry[]> {
  const index = new Map<string, Entry[]>();
  for (const label of set.labels) {
    const leading = leadingNames(label, key);
    if (leading.length === 0) {
      const columns = Object.keys(label.names).join(', ') || 'none';
      throw new LabelsError(
        'labels',
        'a column that names the run, such as id or task_id',
        columns,
      );
    }
    const entry = { ...label, takenBy: new Set<string>() };
    for (const name of leading) index.set(name, [...(index.get(name) ?? []), entry]);
  }
  return index;
}

/** The one name by which a label is looked up: its key, its id, its task, or its line. */
function leadingNames({ names }: RunLabel, key: string | undefined): string[] {
  if (key !== undefined) return [`key ${names[key] ?? ''}`];
  const entries = Object.entries(names);
  for (const kind of ['id', 'task'] as const) {
    const found = entries.find(([column]) => NAMING_COLUMNS[column] === kind);
    if (found !== undefined) return [`${kind} ${found[1]}`];
  }
  if (names.line !== undefined) return [`line ${names.line}`];
  // Any other column may be called after a field of the recording.
  return entries.slice(0, 1).map(([column, value]) => `field ${column} ${value}`);
}

function namesOf(run: NamedRun, key: string | undefined): string[] {
  const values = Object.values(run.source).map(canonical);
  const tasks = [run.task, ...values].filter((task) => task !== undefined);
  if (key !== undefined) {
    const field = run.field(key);
    const known = typeof field === 'string' || typeof field === 'number' ? [canonical(field)] : [];
    const all = known.length > 0 ? known : [run.id, values.join('/'), ...tasks];
    return [...new Set(all)].map((name) => `key ${name}`);
  }
  const fields = Object.entries(run.source).map(
    ([name, value]) => `field ${name} ${canonical(value)}`,
  );
  const ids = [run.id, values.join('/'), ...shortNames(run)];
  return [
    ...[...new Set(ids)].map((name) => `id ${name}`),
    ...[...new Set(tasks)].map((name) => `task ${name}`),
    `line ${run.line}`,
    ...fields,
  ];
}

/** A run's names by themselves, and its task with the trial. */
function shortNames({ source, task }: NamedRun): string[] {
  const trial = TRIALS.map((name) => source[name]).find((value) => value !== undefined);
  const entries = Object.entries(source).filter(([name]) => !TRIALS.includes(name));
  const names = entries.map(([, value]) => canonical(value));
  if (task !== undefined) names.push(task);
  return trial === undefined ? names : [...names.map((name) => `${name}/${trial}`), ...names];
}

/** Whether everything that a label says of its run is so of this one. */
function fits({ names }: RunLabel, run: NamedRun): boolean {
  return Object.entries(names).every(([column, value]) => {
    const kind = NAMING_COLUMNS[column];
    if (kind === 'trial') {
      const trial = TRIALS.map((name) => run.source[name]).find((found) => found !== undefined);
      return trial === undefined || canonical(trial) === value;
    }
    if (kind === 'domain') return run.domain === undefined || run.domain === value;
    if (column === 'line') return String(run.line) === value;
    if (kind === 'place') return run.file === undefined || isSameFile(run.file, value);
    if (kind === 'task') {
      const tasks = [run.task, ...Object.values(run.source).map(canonical)];
      return tasks.includes(value);
    }
    return true;
  });
}

function isSameFile(path: string, named: string): boolean {
  const [long, short] = [path, named].map((name) => name.replaceAll('\\', '/').split('/'));
  const shared = Math.min(long?.length ?? 0, short?.length ?? 0);
  return (long ?? []).slice(-shared).join('/') === (short ?? []).slice(-shared).join('/');
}

/** A file's name without its endings: `runs.jsonl.gz` is `runs`. */
function stem(name: string): string {
  return name.replace(/(?:\.(?:jsonl?|ndjson|traj|eval|csv|gz|zst|zip))+$/i, '');
}
