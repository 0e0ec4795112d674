import { type ImportOptions, ownLineOptions, runLineOptions } from '@kp/importers';
import type { Input } from '../runs/inputs/input.ts';
import type { PooledInput } from './input-pool.ts';
import { beginsWithTrace, FEWEST_TRACE_BYTES } from './trace-files.ts';

/** Like `FEWEST_TRACE_BYTES`, for files in other formats, whose workers compile all importers. */
const FEWEST_BYTES_OF_OTHERS = 64 * 2 ** 20;
/** The same for lines in other formats, which cost several threads more work in all than one. */
const FEWEST_BYTES_OF_OTHER_LINES = 2 ** 27;
/** The lines of inputs of fewer bytes are read in one thread. */
const FEWEST_BYTES_OF_INPUT = 2 ** 18;
/** Larger inputs are not read as a whole, because all their runs would be in memory. */
const MOST_BYTES_OF_INPUT = 2 ** 24;
/** Recordings compress about 8-fold. */
const EXPANSION = 8;

/** Inputs, by how they are read. The import itself reads an input that is in none of the sets. */
export interface DividedInputs {
  /** Threads read their lines, which probably are traces of this project. */
  readonly own: ReadonlySet<Input>;
  /** The thread of the command prepares such lines, because they are few or there is no other thread. */
  readonly here: ReadonlySet<Input>;
  /** Threads read their lines, in any format. */
  readonly others: ReadonlySet<Input>;
  /** A thread reads each as a whole. */
  readonly whole: ReadonlySet<Input>;
}

/** What decides how a command reads its inputs. */
export interface ReadingNeeds {
  /** Number of threads, including that of the command. */
  readonly jobs: number;
  /** Whether it reads the traces of runs too. */
  readonly readsTraces: boolean;
  readonly readsCorpus: boolean;
}

/** Decides how to read inputs. */
export function divideInputs(
  inputs: readonly Input[],
  options: ImportOptions,
  { jobs, readsTraces, readsCorpus }: ReadingNeeds,
): DividedInputs {
  const ownOptions = ownLineOptions(options);
  const own = ownOptions === undefined ? [] : inputs.filter(isLargeAndOwn);
  // A command that reads traces would parse their lines twice, and a corpus needs its runs one by one.
  const here = new Set(readsTraces || readsCorpus ? [] : own);
  if (jobs < 2) return { own: NONE, here, others: NONE, whole: NONE };
  // A worker sends no trace.
  const rest = readsTraces ? [] : inputs.filter((input) => !own.includes(input));
  const hasWhole = plainOptions(options) !== undefined;
  const whole = hasWhole ? worthwhile(rest.filter(isReadable), FEWEST_BYTES_OF_OTHERS) : [];
  const asWhole = new Set(whole.length < 2 ? [] : whole);
  const hasLines = runLineOptions(options) !== undefined;
  const lines = rest.filter((input) => hasLines && isLarge(input) && !asWhole.has(input));
  const others = new Set(worthwhile(lines, FEWEST_BYTES_OF_OTHER_LINES));
  const isPackedOwn = (input: Input): boolean =>
    ownOptions !== undefined && isPacked(input) && isLarge(input) && !asWhole.has(input);
  const packed = inputs.filter((input) => isPackedOwn(input) && !others.has(input));
  const inThreads = new Set(worthwhile([...own, ...packed], FEWEST_TRACE_BYTES));
  return { own: inThreads, here: inThreads.size > 0 ? NONE : here, others, whole: asWhole };
}

const NONE: ReadonlySet<Input> = new Set();

/** The options without what threads cannot share; undefined if the import depends on it. */
export function plainOptions(options: ImportOptions): ImportOptions | undefined {
  const { importers = [], containers = [], labels, domain, success, signal: _, ...plain } = options;
  const isOwn = importers.length + containers.length > 0 || labels !== undefined;
  if (isOwn || typeof domain === 'function' || typeof success === 'function') return undefined;
  return { ...plain, domain, success };
}

/** Returns the inputs; none if they have fewer bytes in all. */
function worthwhile(inputs: readonly Input[], fewestBytes: number): readonly Input[] {
  const bytes = inputs.reduce((sum, input) => sum + bytesOf(input), 0);
  return bytes < fewestBytes ? [] : inputs;
}

function isLarge(input: Input): boolean {
  return bytesOf(input) >= FEWEST_BYTES_OF_INPUT;
}

function isLargeAndOwn(input: Input): boolean {
  const { path } = input;
  return path !== undefined && isLarge(input) && !isPacked(input) && beginsWithTrace(path);
}

/** Whether a worker can read an input as a whole. */
function isReadable(input: Input): boolean {
  const { path, bytes, linesBefore } = input;
  const isFile = path !== undefined && bytes !== undefined && linesBefore === undefined;
  return isFile && bytesOf(input) <= MOST_BYTES_OF_INPUT;
}

/** Describes an input that a thread reads as a whole. */
export function pooledInput(input: Input): PooledInput {
  return { input, path: input.path ?? '', bytes: bytesOf(input) };
}

/** Bytes to read, after decompression; 0 for a stream, whose lines must not wait for further ones. */
function bytesOf({ bytes = 0, name }: Input): number {
  return isPacked({ name }) ? EXPANSION * bytes : bytes;
}

function isPacked({ name }: Pick<Input, 'name'>): boolean {
  return /\.(gz|zst|tgz|zip)$/.test(name);
}
