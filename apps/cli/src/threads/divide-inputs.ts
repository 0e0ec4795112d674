import { type ImportOptions, ownLineOptions, runLineOptions } from '@kp/importers';
import type { Input } from '../runs/inputs.ts';
import type { DealtInput } from './input-pool.ts';
import { beginsWithTrace, FEWEST_BYTES } from './own-files.ts';

/** The same for workers that load and compile all importers, as other formats are read faster too. */
const FEWEST_BYTES_OF_OTHERS = 64 * 2 ** 20;
/** The same for lines in other formats, of which all threads together do more work than one alone. */
const FEWEST_BYTES_OF_OTHER_LINES = 2 ** 27;
/** The lines of inputs of fewer bytes are read in one thread. */
const FEWEST_BYTES_OF_INPUT = 2 ** 18;
/** Larger inputs are not read as a whole, because all their runs would be in memory. */
const MOST_BYTES_OF_INPUT = 2 ** 24;
/** Recordings compress about 8-fold. */
const EXPANSION = 8;

/** Inputs, by how they are read. An input in none of the sets is read by the import alone. */
export interface DividedInputs {
  /** Threads read lines with traces of this project, probably. */
  readonly own: ReadonlySet<Input>;
  /** The thread of the command prepares such lines, because there are few or it is the only one. */
  readonly here: ReadonlySet<Input>;
  /** Threads read lines in any format. */
  readonly others: ReadonlySet<Input>;
  /** Threads read each from start to end. */
  readonly whole: ReadonlySet<Input>;
}

/** How a command reads. */
export interface ReadingWay {
  /** Number of threads, with that of the command. */
  readonly jobs: number;
  /** Whether it reads the traces of runs too. */
  readonly readsTraces: boolean;
  readonly readsCorpus: boolean;
}

/** Decides how to read inputs. */
export function divideInputs(
  inputs: readonly Input[],
  options: ImportOptions,
  { jobs, readsTraces, readsCorpus }: ReadingWay,
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
  const dealt = new Set(whole.length < 2 ? [] : whole);
  const hasLines = runLineOptions(options) !== undefined;
  const lines = rest.filter((input) => hasLines && isLarge(input) && !dealt.has(input));
  const others = new Set(worthwhile(lines, FEWEST_BYTES_OF_OTHER_LINES));
  const isPackedOwn = (input: Input): boolean =>
    ownOptions !== undefined && isPacked(input) && isLarge(input) && !dealt.has(input);
  const packed = inputs.filter((input) => isPackedOwn(input) && !others.has(input));
  const inThreads = new Set(worthwhile([...own, ...packed], FEWEST_BYTES));
  return { own: inThreads, here: inThreads.size > 0 ? NONE : here, others, whole: dealt };
}

const NONE: ReadonlySet<Input> = new Set();

/** The options without what threads cannot share; undefined if the import depends on it. */
export function plainOptions(options: ImportOptions): ImportOptions | undefined {
  const { importers = [], containers = [], labels, domain, success, signal: _, ...plain } = options;
  const isOwn = importers.length + containers.length > 0 || labels !== undefined;
  if (isOwn || typeof domain === 'function' || typeof success === 'function') return undefined;
  return { ...plain, domain, success };
}

/** @returns the inputs; none if they have fewer bytes in all. */
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

/** Describes an input to deal to a thread. */
export function dealtInput(input: Input): DealtInput {
  return { input, path: input.path ?? '', bytes: bytesOf(input) };
}

/** Bytes to read, once they are unpacked; 0 for a stream, whose lines must not wait for further ones. */
function bytesOf({ bytes = 0, name }: Input): number {
  return isPacked({ name }) ? EXPANSION * bytes : bytes;
}

function isPacked({ name }: Pick<Input, 'name'>): boolean {
  return /\.(gz|zst|tgz|zip)$/.test(name);
}
