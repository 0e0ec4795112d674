import { realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { isRecordingName } from '@kp/importers';
import { wrongUse } from '../output/errors.ts';
import { checkWritable } from '../output/output.ts';
import { excluderOf, isFolder } from './inputs.ts';

/** What a command reads. */
export interface ReadPlaces {
  readonly files: readonly string[];
  /** The label file. */
  readonly labels?: string;
  /** The runs that the user already has, a file or a folder. */
  readonly seededBy?: string;
  readonly outcomeModel?: string;
  readonly exclude?: readonly string[];
}

/**
 * Checks, before any work starts, that a file can be written, that it replaces nothing the command reads, and that
 * the next run would not read it as recordings.
 *
 * @throws UsageError
 */
export async function checkOutput(path: string, option: string, read: ReadPlaces): Promise<void> {
  await checkReport(path, option, read);
  if (isRecordingName(resolve(path))) await refuseInside(path, option, read);
}

/**
 * As {@link checkOutput}, for a file that is no recording, so that it may be in a folder of recordings.
 *
 * @throws UsageError
 */
export async function checkReport(path: string, option: string, read: ReadPlaces): Promise<void> {
  await checkWritable(path, option);
  await refuseReplacing(path, option, read);
}

async function refuseReplacing(
  path: string,
  option: string,
  { files, labels, seededBy, outcomeModel }: ReadPlaces,
): Promise<void> {
  const place = await placeOf(path);
  for (const file of [...files, labels, seededBy, outcomeModel]) {
    if (file === undefined) continue;
    if (file !== '-' && (await placeOf(file)) === place) {
      throw wrongUse(
        `${option} ${path}`,
        'a file that the command does not read',
        `${file}, which it reads`,
        'write another file, and rename it if it is to replace this one',
      );
    }
  }
}

/**
 * Refuses an output below a folder of recordings: the next run would read it as well.
 *
 * @throws UsageError
 */
export async function refuseInside(
  path: string,
  option: string,
  { files, exclude }: ReadPlaces,
): Promise<void> {
  const place = await placeOf(path);
  const isExcluded = excluderOf(exclude);
  for (const folder of files) {
    if (folder === '-' || !(await isFolder(folder))) continue;
    const below = relative(await realpath(folder), place);
    const parts = below.split(sep);
    if (parts[0] === '..' || resolve(below) === below) continue;
    const prefixes = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
    if (prefixes.some(isExcluded)) continue;
    // The other results of a command are beside its file, with its name and another extension.
    const glob = isRecordingName(resolve(path)) ? `${basename(path)}*` : basename(path);
    throw wrongUse(
      `${option} ${path}`,
      'a place outside the folders of recordings',
      `one in ${folder}, which the next run would read as recordings`,
      `choose another place, or leave it out with --exclude '${glob}'`,
    );
  }
}

/** Returns the place of a file or folder that need not exist. */
export async function placeOf(path: string): Promise<string> {
  const there = await realpath(path).catch(() => undefined);
  if (there !== undefined) return there;
  const folder = await realpath(dirname(path)).catch(() => resolve(dirname(path)));
  return join(folder, basename(path));
}
