import { createReadStream, type Stats } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { isRecordingName } from '@kp/importers';
import { UsageError } from './exit.ts';
import { count, excerpt } from './text.ts';

/** Something to read runs from. */
export interface Input {
  /** As a message names it. */
  readonly name: string;
  /** Undefined for standard input. */
  readonly path: string | undefined;
  /** Size in bytes; undefined for standard input and other streams. */
  readonly bytes: number | undefined;
  /** Its bytes, until the end or until the signal is aborted, when it throws. */
  open(stopped: AbortSignal): AsyncIterable<Uint8Array>;
}

/** What the arguments of a command name. */
export interface ResolvedInputs {
  readonly inputs: readonly Input[];
  /** One line for each argument that cannot be read. */
  readonly missing: readonly string[];
  /** One line for each entry of a folder that cannot be read, the first of them at least. */
  readonly skipped: readonly string[];
  /** How many files of folders were left out because of the endings of their names. */
  readonly otherFiles: number;
}

/**
 * The files that the arguments name: a file, `-` for standard input, or a folder, of which every
 * recording is taken (by the ending of its name, since a folder may hold anything), in the order
 * of their names. Links are followed, and no folder is entered twice.
 *
 * @param besides - a file that lies among the runs without being one, such as that of the labels.
 * @throws {@link UsageError} when there is no argument.
 */
export async function resolveInputs(
  paths: readonly string[],
  besides?: string,
): Promise<ResolvedInputs> {
  if (paths.length === 0) {
    throw new UsageError('FILES: expected at least one file, folder or - for standard input');
  }
  const inputs: Input[] = [];
  const missing: string[] = [];
  const skipped: string[] = [];
  let otherFiles = 0;
  const leftOut = besides === undefined ? undefined : await realpath(besides).catch(() => besides);
  for (const path of paths) {
    if (path === '-') {
      inputs.push(STANDARD_INPUT);
      continue;
    }
    try {
      const found = await stat(path);
      if (!found.isDirectory()) {
        inputs.push(fileInput(path, found));
        continue;
      }
      const folder = await walk(path, leftOut);
      skipped.push(...folder.skipped);
      otherFiles += folder.otherFiles;
      inputs.push(...folder.inputs);
      if (folder.inputs.length === 0) missing.push(`${path}: ${nothingIn(folder)}`);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      missing.push(`${path}: ${describeFileError(error)}`);
    }
  }
  return { inputs, missing, skipped, otherFiles };
}

/** What is wrong with a file, in words that a person can act on. */
export function describeFileError(error: Error): string {
  switch (Reflect.get(error, 'code')) {
    case 'ENOENT':
      return 'expected a file or a folder, received nothing of that name';
    case 'EACCES':
    case 'EPERM':
      return 'expected a file or a folder that may be read, received one without permission to';
    case 'EISDIR':
      return 'expected a file, received a folder';
    case 'ELOOP':
      return 'expected a file or a folder, received a link that leads back to itself';
    default:
      return error.message;
  }
}

/**
 * Reads a small file of JSON that an option names.
 *
 * @throws {@link UsageError} when it is not there, or no JSON.
 */
export async function readJson(path: string, option: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    const reason =
      error instanceof SyntaxError
        ? `expected JSON, received ${excerpt(error.message)}`
        : describeFileError(error as Error);
    throw new UsageError(`${option} ${path}: ${reason}`);
  }
}

/** Whether there is a folder of that name. */
export async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() === true;
}

interface Walk {
  readonly inputs: Input[];
  readonly skipped: string[];
  otherFiles: number;
}

const SKIPPED_SHOWN = 20;

/** Node and Bun differ in how they walk folders with links in them, so this does it step by step. */
async function walk(root: string, leftOut: string | undefined): Promise<Walk> {
  const found: Walk = { inputs: [], skipped: [], otherFiles: 0 };
  const entered = new Set<string>();
  let skips = 0;
  const skip = (path: string, reason: string): void => {
    skips++;
    if (skips <= SKIPPED_SHOWN) found.skipped.push(`${path}: ${reason}`);
  };
  async function enter(folder: string): Promise<void> {
    const place = await realpath(folder);
    if (entered.has(place)) return;
    entered.add(place);
    const names = (await readdir(folder)).sort();
    for (const name of names) {
      const path = join(folder, name);
      try {
        await take(path, name, await stat(path));
      } catch (error) {
        // What was never going to be read does not matter, except folders: they may hold runs.
        if (!(error instanceof Error)) throw error;
        skip(path, describeSkip(error));
      }
    }
  }
  async function take(path: string, name: string, stats: Stats): Promise<void> {
    if (stats.isDirectory()) await enter(path);
    else if (!isRecordingName(name)) found.otherFiles++;
    else if (!stats.isFile()) skip(path, 'expected a file, received a pipe, socket or device');
    else if (leftOut === undefined || (await realpath(path)) !== leftOut) {
      found.inputs.push(fileInput(path, stats));
    }
  }
  await enter(root);
  if (skips > SKIPPED_SHOWN) found.skipped.push(`${root}: and ${skips - SKIPPED_SHOWN} more such`);
  found.inputs.sort((a, b) => (a.name < b.name ? -1 : 1));
  return found;
}

function describeSkip(error: Error): string {
  return Reflect.get(error, 'code') === 'ENOENT'
    ? 'expected a file or a folder, received a link to nothing'
    : describeFileError(error);
}

function nothingIn({ otherFiles }: Walk): string {
  const received = otherFiles === 0 ? 'none in it' : `${count(otherFiles, 'other file')}`;
  return `expected a folder with .json, .jsonl, .traj, .eval, .csv, .parquet, .pb, .tar or .zip files (or .gz or .zst of these), received ${received}`;
}

function fileInput(path: string, stats: Stats): Input {
  return {
    name: path,
    path,
    bytes: stats.isFile() ? stats.size : undefined,
    open: (signal) => createReadStream(path, { signal }),
  };
}

const STANDARD_INPUT: Input = {
  name: 'standard input',
  path: undefined,
  bytes: undefined,
  open: (stopped) => addAbortSignal(stopped, process.stdin),
};
