import { join } from 'node:path';
import type { WholeFile } from '@kp/foundation';
import { createOutput, createWholeFile } from '../output/output.ts';
import type { Spill } from '../output/spill.ts';
import type { CorpusRun } from '../runs/corpus.ts';
import type { CrashedRun } from '../runs/run.ts';
import { crashedRecord } from '../views/printers.ts';
import type { FileDigest, RecordedMethod } from './provenance-record.ts';
import { commonMethod } from './selection-record.ts';
import type { Split, SplitFlags } from './split-runs.ts';
import { writeSelection } from './written-selection.ts';

/** Writes each part to its own file. */
export async function writeParts(
  { corpus, split: { parts } }: Split,
  { to }: SplitFlags,
  spill: Spill,
  open: (name: string) => Promise<Pick<WholeFile, 'write'>>,
): Promise<{ readonly written: readonly FileDigest[]; readonly notes: readonly string[] }> {
  const written: FileDigest[] = [];
  const notes: string[] = [];
  for (const { name: part, runs } of parts) {
    const name = partFile(part, to);
    const file = await writeSelection({ corpus, ranking: runs }, to, spill, await open(name));
    written.push({ name, digest: { sha256: file.sha256 } });
    notes.push(...file.notes.map((note) => `${part}: ${note}`));
  }
  return { written, notes };
}

/** Returns the name of the file of a part. */
export function partFile(part: string, to: SplitFlags['to']): string {
  return `${part}.${to === 'parquet' ? 'parquet' : 'jsonl'}`;
}

/** Writes files of a folder that appear together once all are complete. */
export function createWriting(folder = ''): {
  open(name: string): Promise<WholeFile>;
  keep(): Promise<void>;
  discard(): Promise<void>;
} {
  const files: WholeFile[] = [];
  return {
    async open(name: string): Promise<WholeFile> {
      const file = await createWholeFile(join(folder, name), '-o');
      files.push(file);
      return file;
    },
    async keep(): Promise<void> {
      for (const file of files) await file.keep();
    },
    async discard(): Promise<void> {
      for (const file of files) await file.discard();
    },
  };
}

export function splitMethod(
  { corpus, shares, threshold }: Split,
  { by, seed }: SplitFlags,
  version: string,
): RecordedMethod {
  return {
    ...commonMethod(corpus, 'kp-split/1', version),
    parts: shares.map(({ name, share }) => `${name} ${share}`).join(', '),
    by,
    seed,
    threshold: threshold.threshold,
  };
}

/** Lists the part of each run by id, and omitted runs with the reason. */
export function assignments({ corpus, split: { parts, leftOut } }: Split): {
  readonly parts: readonly { readonly name: string; readonly runs: readonly string[] }[];
  readonly leftOut: readonly object[];
} {
  const idOf = (run: number): string => (corpus.runs[run] as CorpusRun).fields.trace;
  return {
    parts: parts.map(({ name, runs }) => ({ name, runs: runs.map(idOf) })),
    leftOut: leftOut.map(({ run, duplicateOf, ...why }) => {
      return { id: idOf(run), reason: 'near_duplicate', duplicateOf: idOf(duplicateOf), ...why };
    }),
  };
}

/** Prints the part of each run, the omitted runs and a summary. */
export async function printAssignments(
  result: Split,
  crashed: readonly CrashedRun[],
): Promise<void> {
  const {
    corpus,
    groups,
    split: { parts, leftOut },
    threshold,
  } = result;
  const output = createOutput(process.stdout);
  const recordOf = (run: number) => {
    const { trace: id, ...fields } = (corpus.runs[run] as CorpusRun).fields;
    return { id, group: groups.labels[run], score: corpus.reports[run]?.score, ...fields };
  };
  for (const { name: part, runs } of parts) {
    for (const run of runs) await output.json({ kind: 'assigned', part, ...recordOf(run) });
  }
  for (const { run, duplicateOf: other, ...why } of leftOut) {
    const duplicateOf = (corpus.runs[other] as CorpusRun).fields.trace;
    const reason = 'near_duplicate';
    await output.json({ kind: 'left_out', reason, duplicateOf, ...why, ...recordOf(run) });
  }
  for (const run of crashed) await output.json(crashedRecord(run));
  await output.json({
    kind: 'summary',
    command: 'split',
    parts: parts.map(({ name, groups: amount, runs }) => ({
      name,
      groups: amount,
      runs: runs.length,
    })),
    leftOut: leftOut.length,
    crashed: crashed.length,
    threshold: threshold.threshold,
    thresholdFrom: threshold.method,
  });
}
