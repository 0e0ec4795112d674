import { createReadStream } from 'node:fs';
import { opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { UsageError } from './usage-error.ts';

/** Something to read traces from. */
export interface Input {
  /** As a message names it. */
  readonly name: string;
  /** Size in bytes; undefined for standard input and other streams. */
  readonly bytes: number | undefined;
  /** Its bytes, until the end or until the signal is aborted, when it throws. */
  open(stopped: AbortSignal): AsyncIterable<Uint8Array>;
}

/** What the arguments of a command name. */
export interface ResolvedInputs {
  readonly inputs: readonly Input[];
  /** One line for each argument that cannot be read. */
  readonly unreadable: readonly string[];
}

const IN_FOLDERS = /\.(json|jsonl|ndjson|traj|eval)(\.gz)?$/i;

/**
 * The files that the arguments name: a file, `-` for standard input, or a folder, of which every
 * recording is taken (by the ending of its name, since a folder may hold anything), in the order
 * of their names.
 *
 * @throws {@link UsageError} when there is no argument.
 */
export async function resolveInputs(paths: readonly string[]): Promise<ResolvedInputs> {
  if (paths.length === 0) {
    throw new UsageError('FILES: expected at least one file, folder or - for standard input');
  }
  const inputs: Input[] = [];
  const unreadable: string[] = [];
  for (const path of paths) {
    if (path === '-') {
      inputs.push({ name: 'standard input', bytes: undefined, open: openStandardInput });
      continue;
    }
    try {
      inputs.push(...(await inputsAt(path)));
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      unreadable.push(`${path}: ${describeFileError(error)}`);
    }
  }
  return { inputs, unreadable };
}

/** What is wrong with a file, in words that a person can act on. */
export function describeFileError(error: Error): string {
  switch (Reflect.get(error, 'code')) {
    case 'ENOENT':
      return 'expected a file or a folder, received nothing of that name';
    case 'EACCES':
    case 'EPERM':
      return 'expected a file that may be read, received one without permission to';
    case 'EISDIR':
      return 'expected a file, received a folder';
    default:
      return error.message;
  }
}

/** Whether there is a folder of that name. */
export async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() === true;
}

async function inputsAt(path: string): Promise<Input[]> {
  const found = await stat(path);
  if (!found.isDirectory()) {
    return [fileInput(path, found.isFile() ? found.size : undefined)];
  }
  const inputs = await inputsInFolder(path);
  if (inputs.length > 0) return inputs;
  throw new UsageError(
    'expected a folder with .json, .jsonl, .ndjson, .traj or .eval files (or .gz of these), received none in it',
  );
}

async function inputsInFolder(folder: string): Promise<Input[]> {
  const inputs: Input[] = [];
  for await (const entry of await opendir(folder, { recursive: true })) {
    if (!IN_FOLDERS.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const found = await stat(path);
    if (found.isFile()) inputs.push(fileInput(path, found.size));
  }
  return inputs.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function fileInput(path: string, bytes: number | undefined): Input {
  return { name: path, bytes, open: (signal) => createReadStream(path, { signal }) };
}

function openStandardInput(stopped: AbortSignal): AsyncIterable<Uint8Array> {
  return addAbortSignal(stopped, process.stdin);
}
