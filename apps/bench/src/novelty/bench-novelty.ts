import type { Embedder } from '@kp/embedder';
import { measureNovelty, type NoveltyRow } from './measure-novelty.ts';
import { noveltyTable } from './novelty-table.ts';
import {
  type LabelledText,
  type ReadLabelledOptions,
  readLabelledTexts,
} from './read-labelled-texts.ts';

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
