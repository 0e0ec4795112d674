import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Embedder } from '@kp/embedder';
import { type ImportedTrace, importTraces } from '@kp/importers';
import { UsageError } from '../command/define-command.ts';
import { corpusName, filesOfCorpus } from '../curation/corpus-files.ts';

/** The embedded text of a recorded run, with its task. */
export interface LabelledText {
  /** Format and domain; runs of one source share a task list. */
  readonly source: string;
  readonly task: string;
  /** The text as scoring embeds it. */
  readonly text: string;
  /** The text that `textOf` of an embedder returns. */
  readonly textBy: (embedder: Embedder) => string;
  /** Start offsets of its steps. */
  readonly boundaries: readonly number[];
}

/**
 * Reads every recording in a folder whose runs name their task (`task_id` or `instance_id`), by
 * source. Omits other files and runs without a task.
 *
 * @param exclude - omits files whose path in the folder matches.
 * @throws UsageError if no run names its task.
 */
export async function readLabelledTexts(
  folder: string,
  exclude?: RegExp,
): Promise<readonly (readonly LabelledText[])[]> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = files
    .filter((file) => file.isFile() && /\.(json|jsonl)(\.gz)?$/.test(file.name))
    .map((file) => join(file.parentPath, file.name))
    .filter((path) => exclude?.test(path.slice(folder.length)) !== true)
    .toSorted();
  const sources = new Map<string, LabelledText[]>();
  for (const path of paths) {
    for await (const item of importTraces(createReadStream(path))) {
      const labelled = labelledText(item);
      if (labelled === undefined) continue;
      const texts = sources.get(labelled.source) ?? [];
      sources.set(labelled.source, texts);
      texts.push(labelled);
    }
  }
  if (sources.size > 0) return [...sources.values()];
  throw new UsageError(folder, 'recordings with a task_id or instance_id per run', 'none');
}

/**
 * Reads corpora that arguments name as `NAME=PATH,PATH…`, one source each.
 *
 * @throws UsageError when a corpus has no run that names its task.
 */
export async function readCorpora(
  corpora: readonly string[],
): Promise<readonly (readonly LabelledText[])[]> {
  const sources: LabelledText[][] = [];
  for (const corpus of corpora) {
    const texts: LabelledText[] = [];
    for (const { path, list } of await filesOfCorpus(corpus)) {
      for await (const item of importTraces(createReadStream(path))) {
        const labelled = labelledText(item);
        if (labelled === undefined) continue;
        const task = `${list}/${labelled.task}`;
        texts.push({ ...labelled, source: corpusName(corpus), task });
      }
    }
    if (texts.length === 0) throw new UsageError(corpus, 'runs that name their tasks', 'none');
    sources.push(texts);
  }
  return sources;
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
  const { trace } = item;
  const textBy = (embedder: Embedder): string => embedder.textOf?.(trace) ?? text;
  return { source: `${item.format}${domain}`, task: String(task), text, boundaries, textBy };
}
