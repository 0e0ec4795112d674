import { safeParseTrace } from '@knowledgepulse/sdk';
import {
  type ImportedTrace,
  type ImportOptions,
  type ImportProblem,
  importTraces,
} from '@kp/importers';
import { type ExitStatus, exitStatus, UsageError } from './exit.ts';
import { describeFileError, type Input, resolveInputs } from './inputs.ts';
import { type InputFlags, inputChoiceOf } from './options.ts';
import { fieldsOf, type Run } from './run.ts';
import { openTerminal, type Terminal } from './terminal.ts';
import { count, grouped } from './text.ts';
import type { Where } from './where.ts';

/** The runs that the arguments of a command name, being read. */
export interface OpenedRuns {
  readonly terminal: Terminal;
  /** In the order of the inputs. What cannot be read is told on the terminal and costs no other. */
  readonly runs: AsyncIterable<Run>;
  /** Chooses among the scores; undefined: all of them. */
  readonly scoreFilter: Where | undefined;
  /** How many runs passed up to now. */
  readonly amount: () => number;
  /** What a summary should say of the inputs, a line each. */
  readonly notes: () => readonly string[];
  /** Ends the progress line; what the command is to end with. */
  close(findings?: { readonly under: boolean }): ExitStatus;
}

/**
 * Opens everything that a command reads.
 *
 * @param purpose - `scoring`: the runs go to {@link scoreRuns}, which knows what a condition on
 * scores needs; any other command refuses such a condition.
 * @throws {@link UsageError} when an option cannot be followed.
 */
export async function openRuns(
  files: readonly string[],
  flags: InputFlags & { readonly quiet?: boolean },
  purpose: 'reading' | 'scoring' = 'reading',
): Promise<OpenedRuns> {
  const { where } = flags;
  if (where?.needsScore === true && purpose === 'reading') {
    throw new UsageError(
      `--where ${where.expression}: expected a condition on runs, received one on scores, which this command does not make`,
    );
  }
  const { options, warnings, remarks } = await inputChoiceOf(flags);
  const { inputs, missing, skipped, otherFiles } = await resolveInputs(files, flags.labels);
  const terminal = openTerminal(totalBytes(inputs), flags.quiet === true);
  if (purpose === 'scoring') for (const message of warnings) terminal.warn(message);
  for (const message of [...missing, ...skipped]) terminal.problem(message);
  let amount = 0;
  let leftOut = 0;
  const runFilter = where?.needsScore === true ? undefined : where;
  async function* filtered(): AsyncGenerator<Run> {
    for await (const run of readRuns(inputs, options, terminal)) {
      if (runFilter !== undefined && !keeps(runFilter, run)) {
        leftOut++;
        continue;
      }
      amount++;
      yield run;
    }
  }
  return {
    terminal,
    runs: filtered(),
    scoreFilter: where?.needsScore === true ? where : undefined,
    amount: () => amount,
    notes() {
      const notes = [...remarks()];
      if (otherFiles > 0) {
        notes.push(`${count(otherFiles, 'file')} of other kinds in the folders left out`);
      }
      if (leftOut > 0) notes.push(`${count(leftOut, 'run')} left out by --where`);
      return notes;
    },
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

/** A trace that is not valid has no fields to ask for: it goes on to be refused with the reason. */
function keeps(where: Where, run: Run): boolean {
  return !safeParseTrace(run.trace).success || where.matches({ fields: fieldsOf(run) });
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
          problems.add(`:${problemText(item.error)}`);
          continue;
        }
        problems.runFound();
        if (item.kind === 'empty') continue;
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

/** Begins with the line. The names of all formats would fill a screen each time. */
function problemText({ code, line, message, received }: ImportProblem): string {
  return code === 'UNKNOWN_FORMAT' && received !== undefined
    ? `${line}: expected a recording in one of the formats that kp formats lists, received ${received}`
    : message.replace(/^line (\d+)/, '$1');
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

function toRun(item: Extract<ImportedTrace, { trace: unknown }>, file: string): Run {
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
