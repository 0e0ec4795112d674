import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Embedder } from '@kp/embedder';
import { type ImportedTrace, importTraces } from '@kp/importers';
import { renderMarkdown } from '../results/tables.ts';
import { measureNovelty, type NoveltyRow } from './measure-novelty.ts';

/** What is measured, and where the table goes. */
export interface BenchNoveltyOptions extends ReadLabelledOptions {
  readonly embedders: readonly Embedder[];
  /** Seeded orders the runs are streamed in. Default 10. */
  readonly orders?: number;
  /** Takes the table. Default: standard output. */
  readonly print?: (text: string) => void;
}

/**
 * Measures how well novelty tells first-seen from repeated tasks on the labelled recordings of a
 * directory, prints the table, and gives its rows: one an embedder and source.
 *
 * @throws RangeError when the directory has no labelled recording.
 */
export async function benchNovelty(
  directory: string,
  { embedders, orders = 10, print = console.log, ...reading }: BenchNoveltyOptions,
): Promise<NoveltyRow[]> {
  const sources = new Map<string, LabelledText[]>();
  for await (const labelled of readLabelledTexts(directory, reading)) {
    const texts = sources.get(labelled.source) ?? [];
    sources.set(labelled.source, texts);
    texts.push(labelled);
  }
  if (sources.size === 0) {
    throw new RangeError(
      `${directory}: expected recordings with a task_id or instance_id a run, received none`,
    );
  }
  const rows: NoveltyRow[] = [];
  for (const embedder of embedders) {
    for (const texts of sources.values()) rows.push(await measureNovelty(embedder, texts, orders));
  }
  print(noveltyTable(rows));
  return rows;
}

/** What is embedded of a recorded run, and which task the run is of. */
export interface LabelledText {
  /** Format and domain: runs of one source share a list of tasks. */
  readonly source: string;
  readonly task: string;
  /** The text as scoring embeds it. */
  readonly text: string;
  /** Where its steps begin. */
  readonly boundaries: readonly number[];
}

/** Which files of a directory are read. */
interface ReadLabelledOptions {
  /** Files whose path inside the directory matches are left out. */
  readonly exclude?: RegExp;
}

/**
 * Reads every recording under a directory whose runs name their task (`task_id` or `instance_id`).
 * Other files, and runs without a task, are left out.
 */
async function* readLabelledTexts(
  directory: string,
  { exclude }: ReadLabelledOptions = {},
): AsyncGenerator<LabelledText> {
  const files = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = files
    .filter((file) => file.isFile() && /\.(json|jsonl)(\.gz)?$/.test(file.name))
    .map((file) => join(file.parentPath, file.name))
    .filter((path) => exclude?.test(path.slice(directory.length)) !== true)
    .toSorted();
  for (const path of paths) {
    for await (const item of importTraces(createReadStream(path))) {
      const labelled = labelledText(item);
      if (labelled !== undefined) yield labelled;
    }
  }
}

function labelledText(item: ImportedTrace): LabelledText | undefined {
  if (!('trace' in item) || item.provenance === undefined) return undefined;
  const { task_id, instance_id } = item.provenance.source;
  const task = task_id ?? instance_id;
  if (task === undefined) return undefined;
  const { metadata, task: asked, steps } = item.trace;
  const domain = metadata.task_domain === 'default' ? '' : ` ${metadata.task_domain}`;
  let text = asked.objective;
  const boundaries: number[] = [];
  for (const { content } of steps) {
    if (content === undefined || content === '') continue;
    text += ' ';
    boundaries.push(text.length);
    text += content;
  }
  return { source: `${item.format}${domain}`, task: String(task), text, boundaries };
}

const HEADINGS = [
  'embedder',
  'source',
  'runs/tasks',
  'area',
  'lowest–highest',
  'first seen',
  'repeated',
  'p10–p90',
  'ms a run',
  'KB a run',
  'cut',
];

/** The rows as a Markdown table. */
function noveltyTable(rows: readonly NoveltyRow[]): string {
  const columns = HEADINGS.map((heading) => ({ heading }));
  return renderMarkdown({ columns, rows: rows.map(rowCells) });
}

function rowCells(row: NoveltyRow): string[] {
  const [lowest, highest] = row.areaRange;
  const [tenth, ninetieth] = row.spread;
  return [
    row.embedder,
    row.source,
    `${row.runs}/${row.tasks}`,
    decimal(row.area, 3),
    Number.isNaN(row.area) ? '–' : `${decimal(lowest, 3)}–${decimal(highest, 3)}`,
    decimal(row.firstSeen, 2),
    decimal(row.repeated, 2),
    `${decimal(tenth, 2)}–${decimal(ninetieth, 2)}`,
    decimal(row.millisecondsPerRun, 2),
    decimal(row.bytesPerRun / 1_000, 1),
    `${Math.round(row.truncated * 100)}%`,
  ];
}

function decimal(value: number, digits: number): string {
  return Number.isNaN(value) ? '–' : value.toFixed(digits);
}
