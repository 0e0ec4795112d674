import type { Stats } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { addAbortSignal, Readable } from 'node:stream';
import { codeOf, messageOf } from '@kp/foundation';
import { isRecordingName } from '@kp/importers';
import picomatch from 'picomatch';
import { UsageError, wrongUse } from '../output/errors.ts';
import { count, excerpt } from '../output/text.ts';
import { readFileOrDatabase } from './read-file.ts';
import { readSharedLines } from './read-shared-lines.ts';

/** A source of runs. */
export interface Input {
  /** Name in messages. */
  readonly name: string;
  /** Undefined for standard input. */
  readonly path: string | undefined;
  /** Size in bytes; undefined for stdin and other streams. */
  readonly bytes: number | undefined;
  /** Whether it was found in a folder rather than named, so it may not be a recording. */
  readonly isFound: boolean;
  /** Lines whose runs belong to another part of the file; see `takeShard`. Default: 0. */
  readonly linesBefore?: number;
  /**
   * Reads its bytes; throws when the signal is aborted.
   *
   * @param isPrepared - whether blocks of its lines are prepared, for which shared memory saves a copy. Default: false.
   */
  open(stopped: AbortSignal, isPrepared?: boolean): AsyncIterable<Uint8Array>;
}

/** Inputs that the arguments of a command refer to. */
export interface ResolvedInputs {
  readonly inputs: readonly Input[];
  /** One line per unreadable argument. */
  readonly missing: readonly string[];
  /** One line per unreadable folder entry, at least for the first ones. */
  readonly skipped: readonly string[];
  /** Number of folder entries skipped because of their file extension. */
  readonly otherFiles: number;
  /** Number of folder entries skipped by `--exclude`. */
  readonly excluded: number;
}

/** Folder entries to skip. */
export interface LeftOut {
  /** The label file, which may be in the same folder as the runs. */
  readonly labels?: string;
  /** Globs that match file names or, with a slash, paths below the folder. */
  readonly exclude?: readonly string[];
}

/**
 * Resolves arguments to files: a file, `-` for stdin, or a folder, of which all files with a known
 * extension are read in name order. Symlinks are followed; no folder is read twice.
 *
 * @throws {@link UsageError} without an argument.
 */
export async function resolveInputs(
  paths: readonly string[],
  { labels, exclude }: LeftOut = {},
): Promise<ResolvedInputs> {
  if (paths.length === 0) {
    throw wrongUse('FILES', 'at least one file, folder or - for standard input', 'none');
  }
  const inputs: Input[] = [];
  const missing: string[] = [];
  const skipped: string[] = [];
  let otherFiles = 0;
  let excluded = 0;
  const labelFile = labels === undefined ? undefined : await realpath(labels).catch(() => labels);
  const isExcluded = excluderOf(exclude);
  for (const path of paths) {
    if (path === '-') {
      inputs.push(STANDARD_INPUT);
      continue;
    }
    try {
      const found = await stat(path);
      if (!found.isDirectory()) {
        inputs.push(fileInput(path, found, false));
        continue;
      }
      const folder = await walk(path, labelFile, isExcluded);
      for (const line of folder.skipped) skipped.push(line);
      for (const input of folder.inputs) inputs.push(input);
      otherFiles += folder.otherFiles;
      excluded += folder.excluded;
      if (folder.inputs.length === 0) missing.push(`${path}: ${nothingIn(folder)}`);
    } catch (error) {
      missing.push(`${path}: ${describeFileError(error)}`);
    }
  }
  return { inputs, missing, skipped, otherFiles, excluded };
}

/** Returns what tells whether the globs of `--exclude` leave out a path below a folder. */
export function excluderOf(exclude: readonly string[] = []): (path: string) => boolean {
  const matchers = exclude.map((glob) => picomatch(glob, { basename: true, dot: true }));
  return (path) => matchers.some((matches) => matches(path));
}

/**
 * Refuses to continue if an input does not exist.
 *
 * @param missing - from {@link resolveInputs}.
 * @throws UsageError if an input does not exist, where the others alone would give another result.
 */
export function refuseMissing([message]: readonly string[]): void {
  if (message === undefined) return;
  const details = { subject: 'RUNS', expected: 'files and folders that exist', received: message };
  throw new UsageError(details, message);
}

/** Whether a file or folder exists, but may not be read. */
export function isForbidden(error: unknown): boolean {
  return ['EACCES', 'EPERM'].includes(codeOf(error) ?? '');
}

/** Turns a lack of permission into a usage error; returns any other error as it is. */
export function notRead(path: string, error: unknown): unknown {
  return isForbidden(error) ? wrongUse(path, 'permission to read', 'none') : error;
}

/** Describes a file error: `expected …, received …`. */
export function describeFileError(error: unknown): string {
  if (isForbidden(error)) return 'expected permission to read, received none';
  switch (codeOf(error)) {
    case 'ENOENT':
      return 'expected a file or a folder, received a path that does not exist';
    case 'EISDIR':
      return 'expected a file, received a folder';
    case 'ELOOP':
      return 'expected a file or a folder, received a link to itself';
    default:
      return messageOf(error);
  }
}

/**
 * Reads the text file that an option names.
 *
 * @throws {@link UsageError} when it cannot be read.
 */
export async function readNamed(path: string, option: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    throw new UsageError(
      { subject: `${option} ${path}`, expected: 'a readable file', received: messageOf(error) },
      `${option} ${path}: ${describeFileError(error)}`,
    );
  });
}

/**
 * Reads the JSON file that an option names.
 *
 * @throws {@link UsageError} when it cannot be read, or is not JSON.
 */
export async function readJson(path: string, option: string): Promise<unknown> {
  const text = await readNamed(path, option);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw wrongUse(`${option} ${path}`, 'JSON', excerpt(messageOf(error)));
  }
}

/** Whether a folder exists at the path. */
export async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() === true;
}

interface Walk {
  readonly inputs: Input[];
  readonly skipped: string[];
  otherFiles: number;
  excluded: number;
}

const SKIPPED_SHOWN = 20;

/**
 * Walks folders one level at a time, because Node and Bun treat symlinks differently in recursive
 * reads.
 */
async function walk(
  root: string,
  labelFile: string | undefined,
  isExcluded: (path: string) => boolean,
): Promise<Walk> {
  const found: Walk = { inputs: [], skipped: [], otherFiles: 0, excluded: 0 };
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
        await take(path, await stat(path));
      } catch (error) {
        skip(path, describeSkip(path, error));
      }
    }
  }
  async function take(path: string, stats: Stats): Promise<void> {
    if (isExcluded(relative(root, path).replaceAll('\\', '/'))) found.excluded++;
    else if (stats.isDirectory()) await enter(path);
    // The folders tell transcripts from other Markdown.
    else if (!isRecordingName(resolve(path))) found.otherFiles++;
    else if (!stats.isFile()) skip(path, 'expected a file, received a pipe, socket or device');
    else if (labelFile === undefined || (await realpath(path)) !== labelFile) {
      found.inputs.push(fileInput(path, stats, true));
    }
  }
  await enter(root);
  if (skips > SKIPPED_SHOWN) found.skipped.push(`${root}: and ${skips - SKIPPED_SHOWN} more`);
  found.inputs.sort((a, b) => (a.name < b.name ? -1 : 1));
  return found;
}

function describeSkip(path: string, error: unknown): string {
  if (codeOf(error) !== 'ENOENT') return describeFileError(error);
  // Engines read each byte that is not UTF-8 as this character, so the name leads nowhere.
  return path.includes('\ufffd')
    ? 'expected a name in UTF-8, received one in another encoding'
    : 'expected a file or a folder, received a broken link';
}

function nothingIn({ otherFiles, excluded }: Walk): string {
  const others = otherFiles + excluded;
  const received = others === 0 ? 'an empty folder' : count(others, 'other file');
  return `expected a folder with .json, .jsonl, .traj, .eval, .csv, .parquet, .pb, .tar or .zip files (or .gz or .zst of these), received ${received}`;
}

/** Names of plain text. Other libraries read compressed files and databases, and may not accept shared memory. */
const PLAIN_NAME = /\.(?:jsonl?|ndjson)$/i;

function fileInput(path: string, stats: Stats, isFound: boolean): Input {
  const bytes = stats.isFile() ? stats.size : undefined;
  const isPlain = bytes !== undefined && PLAIN_NAME.test(path);
  return {
    name: path,
    path,
    isFound,
    bytes,
    open: (signal, isPrepared = false) =>
      isPrepared && isPlain
        ? readSharedLines(path, signal)
        : readFileOrDatabase(path, signal, bytes),
  };
}

/** Returns the inputs with stdin buffered in memory, so that it can be read again. */
export async function holdStandardInput(
  inputs: readonly Input[],
  stopped: AbortSignal,
): Promise<readonly Input[]> {
  if (!inputs.includes(STANDARD_INPUT)) return inputs;
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of STANDARD_INPUT.open(stopped)) chunks.push(chunk);
  } catch (error) {
    if (!stopped.aborted) throw error;
  }
  const held = { ...STANDARD_INPUT, open: () => Readable.from(chunks) };
  return inputs.map((input) => (input === STANDARD_INPUT ? held : input));
}

const STANDARD_INPUT: Input = {
  name: 'standard input',
  path: undefined,
  bytes: undefined,
  isFound: false,
  open: (stopped) => addAbortSignal(stopped, process.stdin),
};
