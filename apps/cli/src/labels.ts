import { readFile } from 'node:fs/promises';
import type { Label, Labels } from '@kp/importers';
import { parse } from 'csv-parse/sync';
import { UsageError } from './exit.ts';
import { describeFileError } from './inputs.ts';

const COLUMNS = 'id, success, confidence';

/**
 * Labels of runs from a file: a JSON object of run id → `true`, `false` or
 * `{ success, confidence }` (objects within it are groups of the same), or CSV with a line of
 * headings, `id` and one or both of `success` and `confidence`.
 *
 * @throws {@link UsageError} naming the file, and the entry that cannot be read.
 */
export async function loadLabels(path: string): Promise<Labels> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    throw new UsageError(`--labels ${path}: ${describeFileError(error as Error)}`);
  }
  const labels = /^\s*[{[]/.test(text) ? fromJson(path, text) : fromCsv(path, text);
  if (labels.size > 0) return labels;
  throw new UsageError(`--labels ${path}: expected at least one label, received none`);
}

function fromJson(path: string, text: string): Labels {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`--labels ${path}: expected JSON, received ${(error as Error).message}`);
  }
  const labels = new Map<string, Label>();
  collect(path, value, '', labels);
  return labels;
}

function collect(path: string, value: unknown, id: string, labels: Map<string, Label>): void {
  if (typeof value === 'boolean') labels.set(id, { success: value });
  else if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw unreadable(path, id, 'true, false or { success, confidence }', JSON.stringify(value));
  } else if ('success' in value || 'confidence' in value) {
    const { success, confidence } = value as Record<string, unknown>;
    labels.set(id, labelOf(path, id, success, confidence));
  } else {
    for (const [key, inner] of Object.entries(value)) collect(path, inner, key, labels);
  }
}

function fromCsv(path: string, text: string): Labels {
  let rows: Record<string, string>[];
  try {
    rows = parse(text, { columns: true, skip_empty_lines: true, trim: true, bom: true });
  } catch (error) {
    throw new UsageError(`--labels ${path}: expected CSV, received ${(error as Error).message}`);
  }
  const labels = new Map<string, Label>();
  for (const [index, row] of rows.entries()) {
    const { id, success = '', confidence = '' } = row;
    if (id === undefined || id === '' || (success === '' && confidence === '')) {
      throw unreadable(
        path,
        `row ${index + 2}`,
        `the columns ${COLUMNS}`,
        Object.keys(row).join(', '),
      );
    }
    const verdict = success === '' ? undefined : (VERDICTS.get(success.toLowerCase()) ?? success);
    const share = confidence === '' ? undefined : Number(confidence);
    labels.set(id, labelOf(path, id, verdict, share));
  }
  return labels;
}

const VERDICTS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['yes', true],
  ['false', false],
  ['0', false],
  ['no', false],
]);

function labelOf(path: string, id: string, success: unknown, confidence: unknown): Label {
  if (success !== undefined && typeof success !== 'boolean') {
    throw unreadable(path, id, 'success true or false', JSON.stringify(success));
  }
  const share =
    confidence === undefined ||
    (typeof confidence === 'number' && confidence >= 0 && confidence <= 1);
  if (!share) throw unreadable(path, id, 'confidence from 0 to 1', JSON.stringify(confidence));
  return {
    ...(success === undefined ? {} : { success }),
    ...(confidence === undefined ? {} : { confidence: confidence as number }),
  };
}

function unreadable(path: string, id: string, expected: string, received: string): UsageError {
  return new UsageError(
    `--labels ${path}, ${id === '' ? 'the whole' : id}: expected ${expected}, received ${received}`,
  );
}
