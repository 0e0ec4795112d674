import { basename, relative, resolve } from 'node:path';
import type { WholeFile } from '@kp/foundation';
import { EXIT, type ExitStatus } from '../output/exit.ts';
import { createWholeFile } from '../output/output.ts';
import { checkAllWritable, checkOutput } from '../runs/output-place.ts';
import {
  CORPUS_RECORD_TYPE,
  type FileDigest,
  type ProvenanceRecord,
  type RecordedMethod,
  type RecordKind,
} from '../selection/provenance-record.ts';
import { writeChosen } from '../selection/written-selection.ts';
import { withOptions } from './corpus-options.ts';
import type { DoneTask } from './done-task.ts';
import { joinTables } from './joined-tables.ts';
import { type MergedSelection, mergeCells, readChosen } from './merge-stage.ts';
import {
  describeMerged,
  describeNotScored,
  type SelectionSummary,
  summaryOf,
} from './merge-summary.ts';
import { folderOfStore, readPlacesOf } from './open-store.ts';
import { renderSample, scoreKey } from './sample-report.ts';
import { readPage } from './sample-stage.ts';
import type { Store } from './store.ts';
import { readLines } from './stored-lines.ts';
import type { ScoreRow } from './tables.ts';
import { openOutput } from './task-outputs.ts';

/** Provenance records of `kp corpus`. */
export const CORPUS_RECORD: RecordKind = {
  predicateType: CORPUS_RECORD_TYPE,
  command: 'kp corpus merge',
  recordPath: (output) => `${output}.provenance.json`,
};

/** The files beside a selection. */
function mergedPaths(
  output: string,
): Readonly<Record<'selection' | 'provenance' | 'scores' | 'scoreLines' | 'report', string>> {
  return {
    selection: output,
    provenance: CORPUS_RECORD.recordPath(output),
    scores: `${output}.scores.parquet`,
    scoreLines: `${output}.scores.jsonl`,
    report: `${output}.report.html`,
  };
}

/** Returns the paths of all files beside a selection. */
export function pathsBeside(output: string): readonly string[] {
  return Object.values(mergedPaths(output)).filter((path) => path !== output);
}

interface WrittenSelection {
  readonly lines: readonly string[];
  readonly summary: SelectionSummary;
  readonly status: ExitStatus;
}

/**
 * Chooses from the picks of all cells and writes the files. Refuses to replace what the shards read.
 *
 * @returns lines on the selection, a summary for programs, and the exit status.
 */
export async function writeSelectionOf(
  store: Store,
  output: string,
  kp: string,
  signal: AbortSignal,
): Promise<WrittenSelection> {
  await checkAllWritable(output, '-o', pathsBeside(output));
  const merged = await mergeCells(store, signal);
  const [first] = merged.shards;
  if (first !== undefined) {
    const { seededBy } = merged.plan.facts.choices;
    const read = readPlacesOf(store, first.facts, seededBy);
    await checkOutput(output, '-o', read, pathsBeside(output));
  }
  const notes = await writeMerged(store, merged, output, kp);
  const problems = merged.shards.some(({ facts }) => facts.status !== EXIT.done);
  const isNothing = merged.cells.every(({ facts }) => facts.eligible === 0);
  const status = isNothing ? EXIT.no : problems ? EXIT.problems : EXIT.done;
  const lines = [
    ...describeMerged(merged),
    ...notes,
    `written to ${output}`,
    ...describeNotScored(merged),
  ];
  return { lines, summary: summaryOf(merged, mergedPaths(output)), status };
}

/**
 * Writes the selection, the scores of all runs and the provenance. Publishes each file only when it
 * is complete, and the provenance last.
 *
 * @returns lines on content that a layout omitted.
 */
async function writeMerged(
  store: Store,
  merged: MergedSelection,
  output: string,
  kp: string,
): Promise<readonly string[]> {
  const paths = mergedPaths(output);
  const files: WholeFile[] = [];
  const begin = async (path: string): Promise<WholeFile> => {
    const file = await createWholeFile(path, '-o');
    files.push(file);
    return file;
  };
  try {
    const selection = await begin(paths.selection);
    const layout = merged.shards[0]?.facts.layout ?? 'native';
    const { sha256, notes } = await writeChosen(readChosen(store, merged), layout, selection);
    await writeScores(store, merged, await begin(paths.scores), await begin(paths.scoreLines));
    if (merged.sample.facts.shown > 0) {
      const page = await begin(paths.report);
      const content = await readPage(store, merged.sample);
      await page.write(
        await renderSample(store, merged, content, await sampledScores(store, merged)),
      );
    }
    const record = corpusRecord(store, merged, output, sha256, kp);
    await (await begin(paths.provenance)).write(`${JSON.stringify(record, null, 1)}\n`);
    for (const file of files) await file.keep();
    return notes;
  } finally {
    for (const file of files) await file.discard();
  }
}

/** Writes the rows of all scored runs, and after them those of the crashed ones, in the order of the input. */
async function writeScores(
  store: Store,
  { cells, shards }: MergedSelection,
  file: WholeFile,
  lines: WholeFile,
): Promise<void> {
  const crashes = shards.filter(({ facts }) => facts.crashed > 0);
  await joinTables(
    [
      ...cells.map((done) => () => openOutput(store, done, 'scores')),
      ...crashes.map((done) => () => openOutput(store, done, 'crashed')),
    ],
    file,
  );
  for (const done of cells) await copyOutput(store, done, 'scores-text', lines);
  for (const done of crashes) await copyOutput(store, done, 'crashed-text', lines);
}

async function copyOutput(
  store: Store,
  done: DoneTask<unknown>,
  role: string,
  target: WholeFile,
): Promise<void> {
  const object = await openOutput(store, done, role);
  try {
    for (let at = 0; at < object.byteLength; at += CHUNK) {
      await target.write(new Uint8Array(await object.slice(at, at + CHUNK)));
    }
  } finally {
    await object.close();
  }
}

/** Reads the scores of the runs that may be on the page, by {@link scoreKey}. */
async function sampledScores(
  store: Store,
  { cells }: MergedSelection,
): Promise<ReadonlyMap<string, ScoreRow>> {
  const rows = new Map<string, ScoreRow>();
  for (const done of cells) {
    for await (const line of readLines(await openOutput(store, done, 'sampled'))) {
      const row: ScoreRow = JSON.parse(line);
      rows.set(scoreKey(row), row);
    }
  }
  return rows;
}

const CHUNK = 2 ** 22;

/** The method values that determine the selection, besides the sources. */
function corpusMethod(
  { plan, shards, baseline, neighbors, sampled }: MergedSelection,
  kp: string,
): RecordedMethod {
  const formula = shards.find(({ facts }) => facts.formula !== null)?.facts.formula;
  return {
    kp,
    writer: 'kp-corpus/1',
    vectors: plan.vectors,
    messages: plan.facts.messageRule,
    formula: formula ? `${formula.name}/${formula.version}` : 'none',
    objective: plan.facts.choices.objective,
    baseline,
    neighbors,
    shards: shards.length,
    cells: plan.facts.cells.length,
    ...(sampled && { relativeToSample: sampled.ratio }),
  };
}

/** Returns the parts of the recordings that the shards read, in order, and those of the given runs. */
function corpusSources({ shards, given }: MergedSelection): FileDigest[] {
  return [...shards, ...given].flatMap(({ facts: { spans } }) =>
    spans.map(({ file, start, end, sha256 }) => ({
      name: `${file}[${start}..${end}]`,
      digest: { sha256 },
    })),
  );
}

function corpusRecord(
  store: Store,
  merged: MergedSelection,
  output: string,
  sha256: string,
  kp: string,
): ProvenanceRecord {
  const { plan, shards, chosen } = merged;
  const [first] = shards;
  const folder = folderOfStore(store, first?.facts.folder ?? '.');
  const words = withOptions(first?.facts.words ?? [], [
    ...plan.facts.arguments,
    ...['--shards', String(shards.length)],
  ]);
  const predicate = {
    arguments: words,
    folder: relative(resolve(output, '..'), folder).replaceAll('\\', '/'),
    sources: corpusSources(merged),
    method: corpusMethod(merged, kp),
    chosen: chosen.map(({ pick, gain, amount }) => ({ id: pick.trace, gain, represents: amount })),
  };
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: basename(output), digest: { sha256 } }],
    predicateType: CORPUS_RECORD.predicateType,
    predicate,
  };
}
