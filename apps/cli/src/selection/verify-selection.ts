import { createHash } from 'node:crypto';
import { basename, dirname, join, resolve } from 'node:path';
import { conflict, wrongUse } from '../output/errors.ts';
import { EXIT, type ExitStatus } from '../output/exit.ts';
import { createOutput } from '../output/output.ts';
import { createSpill } from '../output/spill.ts';
import { isFolder } from '../runs/inputs.ts';
import { type ChoiceFlags, chooseRuns } from './choose-runs.ts';
import {
  differences,
  digestFile,
  digestSources,
  methodOf,
  readRecord,
} from './selection-record.ts';
import { writeSelection } from './written-selection.ts';

/** Reads the words that a selection was made with. */
export type ParseWords = (words: readonly string[]) => {
  readonly files: readonly string[];
  readonly flags: ChoiceFlags;
};

/**
 * Makes a selection anew and says whether it is, byte for byte, what was written; if not, which
 * source, model or formula is another.
 *
 * @returns 0 when it is, else 1.
 */
export async function verifySelection(
  path: string,
  files: readonly string[],
  parseWords: ParseWords,
  version: string,
): Promise<ExitStatus> {
  if (files.length > 0) {
    throw conflict('--verify', 'FILES', 'the record names its sources');
  }
  const found = await readRecord(path);
  const { record } = found;
  const [subject] = record.subject;
  const folder = dirname(resolve(found.path));
  const outputPath = join(folder, basename(subject?.name ?? ''));
  const lines: string[] = [];
  const writtenNow = await digestFile(outputPath).catch(() => undefined);
  if (writtenNow === undefined) lines.push(`output ${outputPath}: is not there any more`);
  else if (writtenNow !== subject?.digest.sha256) lines.push(`output ${outputPath}: has changed`);

  // The record's words name files as seen from where they were given.
  const place = resolve(folder, record.predicate.folder);
  if (!(await isFolder(place))) {
    throw wrongUse(
      `--verify ${found.path}`,
      `the folder ${place}, in which it was made`,
      'none of that name',
      'restore it and the sources',
    );
  }
  process.chdir(place);
  const { files: sources, flags } = parseWords(record.predicate.arguments);
  const spill = await createSpill();
  try {
    const quiet = { ...flags, quiet: true };
    const { opened, choice } = await chooseRuns(sources, quiet, spill);
    opened.terminal.release();
    const hash = createHash('sha256');
    const sink = { write: async (chunk: string | Uint8Array) => void hash.update(chunk) };
    const { sha256 } = await writeSelection(choice, flags.to, spill, sink);
    const digests = await digestSources(sources, flags);
    lines.push(...differences(record, digests, methodOf(choice, flags, version)));
    if (sha256 !== subject?.digest.sha256) lines.push('the selection: comes out as another');
  } finally {
    await spill.close();
  }
  const same = lines.length === 0;
  const verdict = same
    ? `${outputPath}: the sources give the same, byte for byte`
    : `${outputPath}: not what the sources give`;
  await createOutput(process.stdout).print(`${[verdict, ...lines].join('\n')}\n`);
  return same ? EXIT.done : EXIT.no;
}
