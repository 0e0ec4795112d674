import { LabelsError } from '../errors/errors.ts';
import { describeJson, isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts';
import { readVerdict } from '../outcome/verdict.ts';

/** What is known of a run besides the recording. */
export interface Label {
  /** Whether the run succeeded. */
  readonly success?: boolean;
  /** 0 to 1, where the label is a grade in place of a yes or no. */
  readonly grade?: number;
  /** 0 to 1. */
  readonly confidence?: number;
}

/** A label, and how its file names the run that it is for. */
export interface RunLabel extends Label {
  /** The columns that name the run, in lower case: `{ task_id: '3', trial: '0' }`. */
  readonly names: Readonly<Record<string, string>>;
}

/**
 * Labels by run. A run is looked up by its trace id, its source ids joined with `/` (`3/0` for
 * task 3, trial 0), and by each of them. For labels in a file see {@link readLabels}.
 */
export type Labels = ReadonlyMap<string, Label>;

/** The labels of one experiment. */
export interface LabelSet {
  /** What the file calls the experiment; undefined where the file knows only one. */
  readonly name: string | undefined;
  /** One a run. */
  readonly labels: readonly RunLabel[];
}

/** The labels of a file; see {@link readLabels}. */
export interface LabelFile {
  /** One an experiment. */
  readonly sets: readonly LabelSet[];
  /** The one column to join by, as the caller named it. */
  readonly key: string | undefined;
}

/** Which of a file's labels are meant, and by what they name a run. */
export interface ReadLabelsOptions {
  /** The column or field that names the run. Default: those whose names say so. */
  readonly key?: string;
  /** Which experiment's labels are meant, where there are several. Default: told by file names. */
  readonly set?: string;
}

/** Columns with a verdict, the most telling first. */
const VERDICT_COLUMNS: readonly string[] =
  'success resolved passed pass correct is_correct solved succeeded verdict label outcome grade score reward result value'.split(
    ' ',
  );
/** The lists of a report of SWE-bench, and what being in one says. */
const SWE_BENCH_LISTS: Readonly<Record<string, boolean>> = {
  resolved_ids: true,
  unresolved_ids: false,
  empty_patch_ids: false,
  error_ids: false,
};
/** Columns that tell one experiment's runs from another's, where the same run is labelled twice. */
const SET_COLUMNS = ['experiment', 'set', 'run', 'run_name', 'model', 'system', 'agent', 'file'];

/**
 * Reads labels out of a parsed file: the rows of a table, as objects by their headings; a JSON
 * object of run → verdict, or of experiment → such an object; a report of SWE-bench
 * (`resolved_ids`, `unresolved_ids`). A verdict is true or false, 1 or 0, a word such as `resolved`,
 * or a grade between 0 and 1. Names of columns may be in any case.
 *
 * @param value - a parsed file: rows, or an object.
 * @throws {@link LabelsError} when there is none, one cannot be read, or two contradict each other.
 */
export function readLabels(value: unknown, options: ReadLabelsOptions = {}): LabelFile {
  const key = options.key?.toLowerCase();
  const sets = readSets(value as JsonValue, key).flatMap((set) => tellApart(set, key));
  const { set } = options;
  const chosen = set === undefined ? sets : sets.filter(({ name }) => name === set);
  if (chosen.length === 0 && set !== undefined) {
    const names = sets.map(({ name }) => name ?? 'without a name').join(', ');
    throw new LabelsError('labels', `a set called ${set}`, `the sets ${names}`);
  }
  if (chosen.every(({ labels }) => labels.length === 0)) {
    throw new LabelsError('labels', 'at least one label', describeJson(value as JsonValue));
  }
  return { sets: chosen, key };
}

function readSets(value: JsonValue, key: string | undefined): LabelSet[] {
  if (Array.isArray(value)) {
    const labels = value.flatMap((row, index) => readRow(row, `row ${index + 1}`, key));
    return [{ name: undefined, labels }];
  }
  if (!isJsonObject(value)) {
    throw new LabelsError('labels', 'an object or a table', describeJson(value));
  }
  const report = readSweBenchReport(value);
  if (report !== undefined) return [{ name: undefined, labels: report }];
  const entries = Object.entries(value);
  if (entries.length > 0 && entries.every(([, inner]) => isSet(inner))) {
    return entries.flatMap(([name, inner]) =>
      readSets(inner, key).map((set) => ({ name: set.name ?? name, labels: set.labels })),
    );
  }
  return [{ name: undefined, labels: entries.map(([id, label]) => readEntry(id, label)) }];
}

/** Whether a value is the labels of an experiment, and not one label. */
function isSet(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.some(isJsonObject);
  if (!isJsonObject(value) || 'confidence' in value) return false;
  return Object.keys(value).length > 0 && verdictColumn(value) === undefined;
}

function readSweBenchReport(value: JsonObject): RunLabel[] | undefined {
  if (!Array.isArray(value.resolved_ids)) return undefined;
  return Object.entries(SWE_BENCH_LISTS).flatMap(([list, success]) => {
    const ids = value[list];
    return (Array.isArray(ids) ? ids : []).map((id) => ({ success, names: { id: String(id) } }));
  });
}

function readEntry(id: string, value: JsonValue): RunLabel {
  const label = isJsonObject(value) ? value : { success: value };
  const [read] = readRow({ ...label, id }, id, 'id');
  if (read !== undefined) return read;
  throw new LabelsError(`labels: ${id}`, 'a verdict or a confidence', describeJson(value));
}

/** A row of a table as a label; nothing for a row without verdict and confidence. */
function readRow(value: JsonValue, place: string, key: string | undefined): RunLabel[] {
  if (!isJsonObject(value)) {
    throw new LabelsError(`labels: ${place}`, 'an object', describeJson(value));
  }
  const cells = Object.entries(value).map(([name, cell]) => [name.trim().toLowerCase(), cell]);
  const row = Object.fromEntries(cells) as JsonObject;
  const column = verdictColumn(row, key);
  const verdict = column === undefined ? undefined : row[column];
  const names = Object.entries(row).flatMap(([name, cell]) => {
    if (name === column || name === 'confidence' || isBlank(cell)) return [];
    return typeof cell === 'object' ? [] : [[name, canonical(cell as string | number)] as const];
  });
  const label = { ...readCell(verdict, place), confidence: readConfidence(row.confidence, place) };
  if (Object.values(label).every((part) => part === undefined)) {
    if (column !== undefined || 'confidence' in row) return [];
    const columns = Object.keys(row).join(', ');
    const expected = `a column with the verdict, such as ${VERDICT_COLUMNS.slice(0, 4).join(', ')}`;
    throw new LabelsError(`labels: ${place}`, expected, columns || 'no column');
  }
  if (key !== undefined && !names.some(([name]) => name === key)) {
    throw new LabelsError(`labels: ${place}`, `the column ${key}`, Object.keys(row).join(', '));
  }
  return [{ ...label, names: Object.fromEntries(names) }];
}

function verdictColumn(row: JsonObject, key?: string): string | undefined {
  return VERDICT_COLUMNS.find((column) => column !== key && Object.hasOwn(row, column));
}

function readCell(cell: JsonValue | undefined, place: string): Label {
  if (isBlank(cell)) return {};
  const verdict = readVerdict(cell);
  if (verdict?.kind === 'grade') return { grade: verdict.grade };
  if (verdict !== undefined) return { success: verdict.success };
  const expected = 'true or false, a word such as resolved, or a grade from 0 to 1';
  throw new LabelsError(`labels: ${place}`, expected, describeJson(cell));
}

function readConfidence(cell: JsonValue | undefined, place: string): number | undefined {
  if (isBlank(cell)) return undefined;
  const share = typeof cell === 'string' ? Number(cell) : cell;
  if (typeof share === 'number' && share >= 0 && share <= 1) return share;
  throw new LabelsError(`labels: ${place}`, 'a confidence from 0 to 1', describeJson(cell));
}

function isBlank(cell: JsonValue | undefined): boolean {
  return cell === undefined || cell === null || (typeof cell === 'string' && cell.trim() === '');
}

/** Spreadsheets write 3 as 3.0. */
export function canonical(name: string | number | boolean): string {
  return String(name)
    .trim()
    .replace(/^(\d+)\.0+$/, '$1');
}

/**
 * Where one run has several labels that differ, a column has to tell whose they are: the labels
 * are parted into sets by it.
 */
function tellApart(set: LabelSet, key: string | undefined): LabelSet[] {
  const conflict = findConflict(set.labels, key);
  if (conflict === undefined) return [set];
  const column = SET_COLUMNS.find(
    (name) =>
      set.labels.every(({ names }) => name in names) &&
      name !== key &&
      findConflict(set.labels, key, name) === undefined,
  );
  if (column === undefined) {
    throw new LabelsError('labels', `one verdict on ${conflict}`, 'several that differ');
  }
  const parts = new Map<string, RunLabel[]>();
  for (const label of set.labels) {
    const { [column]: name = '', ...names } = label.names;
    const part = parts.get(name) ?? [];
    part.push({ ...label, names });
    parts.set(name, part);
  }
  return [...parts].map(([name, labels]) => ({ name, labels }));
}

/** The first run with two labels that differ, where the column `apart` tells no more of it. */
function findConflict(
  labels: readonly RunLabel[],
  key: string | undefined,
  apart?: string,
): string | undefined {
  const seen = new Map<string, string>();
  for (const { names, success, grade, confidence } of labels) {
    const naming = Object.entries(names).filter(
      ([name]) => name === apart || (key === undefined ? isNaming(name) : name === key),
    );
    const run = naming.map(([name, value]) => `${name} ${value}`).join(', ');
    const label = JSON.stringify([success, grade, confidence]);
    if (seen.get(run) !== undefined && seen.get(run) !== label) return run;
    seen.set(run, label);
  }
  return undefined;
}

type Naming = 'id' | 'task' | 'trial' | 'place' | 'domain';

/** The columns that may name a run, by what in the run they are compared with. */
export const NAMING_COLUMNS: Readonly<Record<string, Naming>> = Object.fromEntries(
  Object.entries({
    id: 'id run run_id trace_id traceid session_id sessionid conversation_id thread_id uuid key name',
    task: 'task task_id taskid instance_id instance problem_id sample_id sample question_id',
    trial: 'trial epoch attempt',
    place: 'file path filename line',
    domain: 'domain',
  } satisfies Record<Naming, string>).flatMap(([naming, columns]) =>
    columns.split(' ').map((column) => [column, naming as Naming]),
  ),
);

function isNaming(column: string): boolean {
  return Object.hasOwn(NAMING_COLUMNS, column);
}
