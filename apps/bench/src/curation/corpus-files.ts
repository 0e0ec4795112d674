import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { UsageError } from '../command/define-command.ts';

/** A recording of a corpus, with the task list of its runs. */
export interface CorpusFile {
  readonly path: string;
  readonly list: number;
}

/** Returns the name of a corpus given as `NAME=PATH,PATH…` or `PATH,PATH…`. */
export function corpusName(argument: string): string {
  const [name, paths] = split(argument);
  return name ?? basename(paths);
}

/**
 * Resolves the files of a corpus. A semicolon instead of a comma starts recordings of another task
 * list, which may reuse names. In a folder, it reads all recordings in name order.
 *
 * @throws UsageError if a path does not exist.
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
    throw new UsageError(path, 'a file or a folder', 'a path that does not exist');
  }
  if (!found.isDirectory()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.(json|jsonl|traj)(\.gz)?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}
