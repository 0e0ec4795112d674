import { messageOf } from '@kp/foundation';
import { type LabelFile, type LabelReport, LabelsError, readLabels } from '@kp/importers';
import { parse } from 'csv-parse/sync';
import { UsageError, wrongUse } from './errors.ts';
import { readNamed } from './inputs.ts';
import { count, excerpt, oneLine } from './text.ts';

/** What the options about labels give. */
export interface LabelFlags {
  readonly labels?: string;
  readonly labelKey?: string;
  readonly labelSet?: string;
}

/**
 * The labels of a file: JSON, JSON Lines, or CSV with a line of headings, parted by commas,
 * semicolons or tabs.
 *
 * @returns undefined when none is named.
 * @throws {@link UsageError} naming the file, and the entry that cannot be read.
 */
export async function loadLabels(flags: LabelFlags): Promise<LabelFile | undefined> {
  const { labels: path, labelKey: key, labelSet: set } = flags;
  if (path === undefined) {
    const useless = key === undefined ? set && '--label-set' : '--label-key';
    if (useless === undefined) return undefined;
    throw wrongUse(useless, '--labels with a file', 'none');
  }
  const text = await readNamed(path, '--labels');
  try {
    return readLabels(/^\s*[{[]/.test(text) ? fromJson(text) : fromCsv(text), { key, set });
  } catch (error) {
    throw error instanceof LabelsError ? labelsRefused(path, error) : unreadable(path, error);
  }
}

/** For labels that cannot be joined to runs. */
export function labelsRefused(path: string | undefined, error: LabelsError): UsageError {
  const wayOut = / experiment/.test(error.expected) ? '; --label-set chooses one' : '';
  const { subject, expected, received } = error;
  const message = `--labels ${path}: ${error.message.replace(/^labels: /, '')}${wayOut}`;
  return new UsageError({ subject, expected, received, cause: error }, message);
}

/** What labels and runs did not find each other, a line each, with the first few names. */
export function labelRemarks(report: LabelReport | undefined): readonly string[] {
  if (report === undefined) return [];
  const lines: string[] = [];
  const { unmatchedCount, unmatched, runsWithoutCount, runsWithout, ambiguousCount } = report;
  if (unmatchedCount > 0) {
    lines.push(
      `${count(unmatchedCount, 'label')} of ${report.labels} without a run: ${few(unmatched, unmatchedCount)}`,
    );
  }
  if (runsWithoutCount > 0) {
    lines.push(
      `${count(runsWithoutCount, 'run')} without a label: ${few(runsWithout, runsWithoutCount)}`,
    );
  }
  if (ambiguousCount > 0) {
    lines.push(
      `${count(ambiguousCount, 'run')} of these share a label that another run took: it needs a column with the trial or the file`,
    );
  }
  return lines;
}

const NAMED = 5;

function few(names: readonly string[], amount: number): string {
  const shown = names.slice(0, NAMED).map(oneLine).join(', ');
  return amount > NAMED ? `${shown}, …` : shown;
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    if (lines.length < 2 || !lines.every((line) => line.trimEnd().endsWith('}'))) throw error;
    return lines.map((line) => JSON.parse(line) as unknown);
  }
}

function fromCsv(text: string): unknown {
  const heading = text.split('\n', 1)[0] ?? '';
  const amountOf = (delimiter: string): number => heading.split(delimiter).length;
  const [delimiter = ','] = [',', ';', '\t'].toSorted((a, b) => amountOf(b) - amountOf(a));
  return parse(text, { columns: true, skip_empty_lines: true, trim: true, bom: true, delimiter });
}

function unreadable(path: string, error: unknown): UsageError {
  return wrongUse(`--labels ${path}`, 'JSON or CSV', excerpt(messageOf(error)));
}
