import { basename, dirname, join, resolve } from 'node:path';
import { conflict, wrongUse } from '../output/errors.ts';
import { EXIT, type ExitStatus } from '../output/exit.ts';
import { createOutput } from '../output/output.ts';
import { isFolder } from '../runs/inputs.ts';
import {
  differences,
  digestFile,
  type FileDigest,
  type RecordedMethod,
  type RecordKind,
  readRecord,
} from './provenance-record.ts';

/** What the words of a record give today. */
export interface Remade {
  /** The files that would be written, by the names that the record has for them. */
  readonly written: readonly FileDigest[];
  readonly sources: readonly FileDigest[];
  readonly method: RecordedMethod;
}

/**
 * Makes what a record is about anew and says whether it is, byte for byte, what was written; if not,
 * which source, model or formula is another.
 *
 * @param files - what the user named besides the record, which is refused.
 * @param remake - does what the words of the record say, in the folder in which they were given.
 * @returns 0 when it is the same, else 1.
 */
export async function verifyRecord(
  path: string,
  files: readonly string[],
  kind: RecordKind,
  remake: (words: readonly string[], subject: readonly FileDigest[]) => Promise<Remade>,
): Promise<ExitStatus> {
  if (files.length > 0) {
    throw conflict('--verify', 'FILES', 'the record names its sources');
  }
  const found = await readRecord(path, kind);
  const { subject, predicate } = found.record;
  const folder = dirname(resolve(found.path));
  const outputs = subject.map(({ name, digest }) => ({
    name,
    path: join(folder, basename(name)),
    sha256: digest.sha256,
  }));
  const lines: string[] = [];
  for (const output of outputs) {
    const writtenNow = await digestFile(output.path).catch(() => undefined);
    if (writtenNow === undefined) lines.push(`output ${output.path}: no longer exists`);
    else if (writtenNow !== output.sha256) lines.push(`output ${output.path}: has changed`);
  }

  // The record's words name files as seen from where they were given.
  const place = resolve(folder, predicate.folder);
  if (!(await isFolder(place))) {
    throw wrongUse(
      `--verify ${found.path}`,
      `the folder ${place}, where it was made`,
      'a path that does not exist',
      'restore it and the sources',
    );
  }
  process.chdir(place);
  const { written, sources, method } = await remake(predicate.arguments, subject);
  lines.push(...differences(found.record, sources, method));
  const remade = new Map(written.map(({ name, digest }) => [name, digest.sha256]));
  for (const { name, sha256 } of outputs) {
    if (remade.get(name) !== sha256) lines.push(`${name}: the sources now give a different file`);
  }
  const same = lines.length === 0;
  const [only] = outputs;
  const about = outputs.length === 1 && only !== undefined ? only.path : folder;
  const verdict = same
    ? `${about}: the sources give the same, byte for byte`
    : `${about}: the sources give a different result`;
  await createOutput(process.stdout).print(`${[verdict, ...lines].join('\n')}\n`);
  return same ? EXIT.done : EXIT.no;
}
