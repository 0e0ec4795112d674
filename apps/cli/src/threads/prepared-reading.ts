import { closeSync, openSync, readSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { messageOf } from '@kp/foundation';
import { type ImportOptions, ownLineOptions, runLineOptions } from '@kp/importers';
import type { Input } from '../runs/inputs.ts';
import type { OpenPreparer } from '../runs/open-runs.ts';
import type { BlockRequest, InputRequest, WorkerAnswer } from '../runs/prepared-data.ts';
import { createInputPool, type DealtInput } from './input-pool.ts';
import { createLinePool } from './line-pool.ts';
import type { StoredText } from './stored-text.ts';
import { createWorkerPool } from './worker-pool.ts';
import type { InputWorkerSettings, LineWorkerSettings, RunNeeds } from './worker-settings.ts';

/** What worker threads prepare for a command. */
export interface PreparedReading extends RunNeeds {
  /** Number of threads, with this one; default: one per core. */
  readonly jobs?: number;
  /** Whether the command reads the traces of runs too. */
  readonly readsTraces: boolean;
}

/** Starting the workers takes as long as reading this many bytes. */
const FEWEST_BYTES = 6 * 2 ** 20;
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

/**
 * Prepares runs in worker threads: large files of lines block by block, other files as a whole. Starts none for
 * few bytes, for one core, or if the import depends on more than the files.
 */
export function prepareInThreads({
  jobs = availableParallelism(),
  readsTraces,
  ...needs
}: PreparedReading): OpenPreparer {
  return (inputs, options, terminal) => {
    if (jobs < 2) return undefined;
    const shared = {
      stopped: terminal.stopped,
      onFailure(error: unknown) {
        terminal.warn(
          `a worker thread failed, its recordings are read without it: ${messageOf(error)}`,
        );
      },
    };
    const { own, others, whole } = divided(inputs, readsTraces, options);
    const readsCorpus = needs.corpus !== undefined;
    // Reading a corpus leaves little to this thread.
    const workers = readsCorpus ? jobs : jobs - 1;
    const ownPool = createWorkerPool<LineWorkerSettings, BlockRequest, WorkerAnswer>(
      'line-worker',
      { ...shared, workers, settings: { options: ownLineOptions(options) ?? {}, ...needs } },
    );
    if (own.size > 0) ownPool.start();
    const ownLines = createLinePool(ownPool, { workers, readsCorpus });
    const pool = createWorkerPool<InputWorkerSettings, InputRequest | BlockRequest, WorkerAnswer>(
      'input-worker',
      {
        ...shared,
        workers: jobs,
        settings: {
          options: plainOptions(options) ?? {},
          lineOptions: runLineOptions(options),
          ...needs,
        },
      },
    );
    const otherLines = createLinePool(pool, { workers: jobs, readsCorpus });
    const read = createInputPool([...whole].map(dealtInput), pool, jobs);
    return {
      linesOf: (input) => (own.has(input) ? ownLines : others.has(input) ? otherLines : undefined),
      read: (input) => (whole.has(input) ? read(input) : undefined),
    };
  };
}

/** The inputs that threads read, by how they read them. */
interface DividedInputs {
  /** Lines with traces of this project, probably. */
  readonly own: ReadonlySet<Input>;
  /** Lines in any format. */
  readonly others: ReadonlySet<Input>;
  /** Inputs that a thread reads from start to end. */
  readonly whole: ReadonlySet<Input>;
}

function divided(
  inputs: readonly Input[],
  readsTraces: boolean,
  options: ImportOptions,
): DividedInputs {
  const ownOptions = ownLineOptions(options);
  const own = ownOptions === undefined ? [] : inputs.filter(isLargeAndOwn);
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
  return { own: new Set(worthwhile([...own, ...packed], FEWEST_BYTES)), others, whole: dealt };
}

/**
 * Prepares the runs of a corpus in worker threads, for `createCorpusReader`.
 *
 * @param text - text to store; undefined for none.
 * @param readsTraces - whether the command reads the traces too.
 */
export function prepareCorpus(text: StoredText | undefined, readsTraces: boolean): OpenPreparer {
  return prepareInThreads({ embedder: 'none', corpus: { text }, readsTraces });
}

/** The options without what threads cannot share; undefined if the import depends on it. */
function plainOptions(options: ImportOptions): ImportOptions | undefined {
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
  return isLarge(input) && !isPacked(input) && beginsWithTrace(input);
}

/** Whether a worker can read an input as a whole. */
function isReadable(input: Input): boolean {
  const { path, bytes, linesBefore } = input;
  const isFile = path !== undefined && bytes !== undefined && linesBefore === undefined;
  return isFile && bytesOf(input) <= MOST_BYTES_OF_INPUT;
}

function dealtInput(input: Input): DealtInput {
  return { input, path: input.path ?? '', bytes: bytesOf(input) };
}

/** Bytes to read, once they are unpacked; 0 for a stream, whose lines must not wait for further ones. */
function bytesOf({ bytes = 0, name }: Input): number {
  return isPacked({ name }) ? EXPANSION * bytes : bytes;
}

function isPacked({ name }: Pick<Input, 'name'>): boolean {
  return /\.(gz|zst|tgz|zip)$/.test(name);
}

const HEAD_BYTES = 4096;
const OWN_TYPE = /"@type"\s*:\s*"ReasoningTrace"/;

/** Whether the first line of a file is probably a trace of this project. */
function beginsWithTrace({ path }: Input): boolean {
  if (path === undefined) return false;
  const head = Buffer.alloc(HEAD_BYTES);
  try {
    const file = openSync(path, 'r');
    try {
      return OWN_TYPE.test(head.toString('latin1', 0, readSync(file, head)));
    } finally {
      closeSync(file);
    }
  } catch {
    // The import reports a file that cannot be read.
    return false;
  }
}
