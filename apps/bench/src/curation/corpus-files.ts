import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { UsageError } from '../command/define-command.ts';

/** A recording of a corpus, and which list of tasks its runs are of. */
export interface CorpusFile {
  readonly path: string;
  readonly list: number;
}

/** The name of a corpus that an argument gives as `NAME=PATH,PATH…` or `PATH,PATH…`. */
export function corpusName(argument: string): string {
  const [name, paths] = split(argument);
  return name ?? basename(paths);
}

/**
 * The files of a corpus; a semicolon in place of a comma begins recordings of another list of tasks,
 * whose names may be the same. Of folders all recordings, in the order of their names.
 *
 * @throws UsageError when a path does not exist.
 */
export async function filesOfCorpus(argument: string): Promise<CorpusFile[]> {
  const files: CorpusFile[] = [];
  for (const [list, paths] of split(argument)[1].split(';').entries()) {
    for (const path of paths.split(',')) {
      for (const file of await filesAt(path)) files.push({ path: file, list });
    }
  }
  return files;
}

function split(argument: string): [name: string | undefined, paths: string] {
  const [, name, paths = ''] = /^(?:([^=]*)=)?(.*)$/s.exec(argument) ?? [];
  return [name, paths];
}

async function filesAt(path: string): Promise<string[]> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) {
    throw new UsageError(path, 'a file or a folder', 'nothing of that name');
  }
  if (!found.isDirectory()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.(json|jsonl|traj)(\.gz)?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}
