/** What a column of labels is compared with in a run. */
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

/** The keys under which recordings keep the number of the attempt. */
export const TRIALS: readonly string[] = COLUMNS.trial.split(' ');

/** What a column is compared with, if its heading says it. */
export function namingOf(column: string): Naming | undefined {
  return NAMINGS.get(column);
}

/** Whether a column names a run by its heading. A model alone names none. */
export function namesRun(column: string): boolean {
  const naming = namingOf(column);
  return naming !== undefined && naming !== 'model';
}

/** A name as text. Spreadsheets write 3 as 3.0. */
export function canonical(name: string | number | boolean): string {
  return String(name)
    .trim()
    .replace(/^(\d+)\.0+$/, '$1');
}
