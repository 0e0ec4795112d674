import type { ReasoningTrace } from '@knowledgepulse/sdk';
import {
  type ImportedTrace,
  type ImportOptions,
  importTraces,
  type Provenance,
} from '@kp/importers';
import { type ExitStatus, exitStatus } from './exit.ts';
import { describeFileError, type Input, resolveInputs } from './inputs.ts';
import { type InputFlags, importOptionsOf } from './options.ts';
import { openTerminal, type Terminal } from './terminal.ts';
import { count, grouped } from './text.ts';

/** A recorded run as a trace, and where it comes from. */
export interface Run {
  /** Not validated yet. */
  readonly trace: ReasoningTrace;
  readonly file: string;
  readonly line: number;
  readonly format: string;
  /** Undefined for traces that were not imported. */
  readonly provenance: Provenance | undefined;
}

/** The runs that the arguments of a command name, being read. */
export interface OpenedRuns {
  readonly terminal: Terminal;
  /** In the order of the inputs. What cannot be read is told on the terminal and costs no other. */
  readonly runs: AsyncIterable<Run>;
  /** How many runs were read up to now. */
  readonly amount: () => number;
  /** What a summary should say of the inputs, a line each. */
  readonly notes: () => readonly string[];
  /** Ends the progress line; what the command is to end with. */
  close(findings?: { readonly under: boolean }): ExitStatus;
}

/**
 * Opens everything that a command reads.
 *
 * @throws {@link UsageError} when an option cannot be followed.
 */
export async function openRuns(
  files: readonly string[],
  flags: InputFlags & { readonly quiet?: boolean },
): Promise<OpenedRuns> {
  const options = await importOptionsOf(flags);
  const { inputs, missing, skipped, otherFiles } = await resolveInputs(files, flags.labels);
  const terminal = openTerminal(totalBytes(inputs), flags.quiet === true);
  for (const message of [...missing, ...skipped]) terminal.problem(message);
  let amount = 0;
  async function* counted(): AsyncGenerator<Run> {
    for await (const run of readRuns(inputs, options, terminal)) {
      amount++;
      yield run;
    }
  }
  return {
    terminal,
    runs: counted(),
    amount: () => amount,
    notes: () =>
      otherFiles === 0
        ? []
        : [`${count(otherFiles, 'file')} of other kinds in the folders left out`],
    close({ under } = { under: false }) {
      terminal.release();
      return exitStatus({
        under,
        missing: missing.length > 0,
        problems: terminal.problems(),
        interrupted: terminal.interrupted(),
      });
    },
  };
}

/** Who hears of what is going on while the inputs are read, and may end it. */
interface Listener {
  problem(message: string, amount?: number): void;
  readonly progress: { read(bytes: number): void };
  /** Once aborted, there are no more runs. */
  readonly stopped: AbortSignal;
}

async function* readRuns(
  inputs: readonly Input[],
  options: ImportOptions,
  listener: Listener,
): AsyncGenerator<Run> {
  for (const input of inputs) {
    if (listener.stopped.aborted) return;
    const problems = createProblemList(input.name, listener);
    try {
      for await (const item of importTraces(counted(input, listener), options)) {
        if (item.kind === 'error') {
          problems.add(`:${item.error.message.replace(/^line (\d+)/, '$1')}`);
          continue;
        }
        problems.runFound();
        yield toRun(item, input.name);
      }
    } catch (error) {
      if (listener.stopped.aborted) return;
      if (!(error instanceof Error) || Reflect.get(error, 'code') === undefined) throw error;
      problems.add(`: ${describeFileError(error)}`);
    }
    problems.end();
  }
}

/** What is wrong in one input: a line or a few, never thousands. */
interface ProblemList {
  add(message: string): void;
  runFound(): void;
  end(): void;
}

const SHOWN = 5;

/**
 * An input with runs in it says the first few of its problems as they come; one without any, such
 * as a foreign file in a folder, only the first, at its end.
 */
function createProblemList(name: string, listener: Listener): ProblemList {
  const held: string[] = [];
  let runs = false;
  let amount = 0;
  return {
    add(message) {
      amount++;
      if (amount > SHOWN) return;
      if (runs) listener.problem(name + message);
      else held.push(name + message);
    },
    runFound() {
      if (!runs) for (const message of held) listener.problem(message);
      runs = true;
    },
    end() {
      if (runs) {
        const more = amount - SHOWN;
        if (more > 0) listener.problem(`${name}: and ${grouped(more)} more such`, more);
        return;
      }
      const [first = `${name}: expected at least one trace, received an input without any`] = held;
      const more = amount > 1 ? ` (and ${grouped(amount - 1)} more in this input)` : '';
      listener.problem(first + more);
    },
  };
}

async function* counted(input: Input, listener: Listener): AsyncGenerator<Uint8Array> {
  for await (const chunk of input.open(listener.stopped)) {
    listener.progress.read(chunk.length);
    yield chunk;
  }
}

function toRun(item: Exclude<ImportedTrace, { kind: 'error' }>, file: string): Run {
  const { line, format, provenance } = item;
  if (item.kind === 'unlabelled') {
    throw new TypeError('assumeSuccess: expected true or false, received nothing');
  }
  return { trace: item.trace, file, line, format, provenance };
}

function totalBytes(inputs: readonly Input[]): number | undefined {
  let total = 0;
  for (const { bytes } of inputs) {
    if (bytes === undefined) return undefined;
    total += bytes;
  }
  return total;
}
