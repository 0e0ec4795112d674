import { LabelsError } from '../errors/errors.ts';
import type { LabelSet, RunLabel } from './labels.ts';
import { namesRun } from './naming-columns.ts';

/** Columns that distinguish experiments if a run has several labels. */
const SET_COLUMNS = ['experiment', 'set', 'run', 'run_name', 'model', 'system', 'agent', 'file'];

/**
 * Splits labels into experiments by a column if any run has several different labels.
 *
 * @param key - the columns that name a run; empty: recognised by their headings.
 * @throws {@link LabelsError} if no column distinguishes the labels.
 */
export function splitIntoSets(set: LabelSet, key: readonly string[]): LabelSet[] {
  const conflict = findConflict(set.labels, key);
  if (conflict === undefined) return [set];
  const column = SET_COLUMNS.find(
    (name) =>
      set.labels.every(({ names }) => name in names) &&
      !key.includes(name) &&
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

/** Finds the first run with two different labels, given its naming columns and `apart`. */
function findConflict(
  labels: readonly RunLabel[],
  key: readonly string[],
  apart?: string,
): string | undefined {
  const seen = new Map<string, string>();
  for (const { names, success, grade, confidence } of labels) {
    const naming = Object.entries(names).filter(
      ([name]) => name === apart || (key.length === 0 ? namesRun(name) : key.includes(name)),
    );
    const run = naming.map(([name, value]) => `${name} ${value}`).join(', ');
    const label = JSON.stringify([success, grade, confidence]);
    if (seen.get(run) !== undefined && seen.get(run) !== label) return run;
    seen.set(run, label);
  }
  return undefined;
}
