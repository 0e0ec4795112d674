/** The property of a run that a label column is compared with. */
export type Naming = 'id' | 'task' | 'trial' | 'place' | 'line' | 'domain' | 'model';

const COLUMNS: Readonly<Record<Naming, string>> = {
  id: 'id run run_id trace_id traceid session_id sessionid conversation_id thread_id uuid key name',
  task: 'task task_id taskid instance_id instance problem_id sample_id sample question_id',
  trial: 'trial epoch attempt',
  place: 'file path filename',
  line: 'line',
  domain: 'domain',
  model: 'model model_name model_name_or_path',
};

const NAMINGS: ReadonlyMap<string, Naming> = new Map(
  Object.entries(COLUMNS).flatMap(([naming, columns]) =>
    columns.split(' ').map((column) => [column, naming as Naming] as const),
  ),
);

/** Keys under which recordings store the trial number. */
export const TRIALS: readonly string[] = COLUMNS.trial.split(' ');

/** The property that a column is compared with, if its heading determines it. */
export function namingOf(column: string): Naming | undefined {
  return NAMINGS.get(column);
}

/** Whether a column names a run, by its heading. A model alone does not. */
export function namesRun(column: string): boolean {
  const naming = namingOf(column);
  return naming !== undefined && naming !== 'model';
}

/** The error text for labels without any such column. */
export const NAMING_EXPECTED = 'a column that names the run, such as id or task_id';

/**
 * The columns of a label that name its run: those with such a heading, or else the first one, which may
 * have the name of a field of the recording.
 */
export function namingColumns(headings: readonly string[]): readonly string[] {
  const named = headings.filter(namesRun);
  const isNamed = named.some((column) => /id|task|line|place/.test(namingOf(column) ?? ''));
  return isNamed ? named : headings.slice(0, 1);
}

/** Normalises a name to text. Spreadsheets write 3 as 3.0. */
export function canonical(name: string | number | boolean): string {
  return String(name)
    .trim()
    .replace(/^(\d+)\.0+$/, '$1');
}
