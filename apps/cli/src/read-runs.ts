import {
  createImportSession,
  type ImportedTrace,
  type ImportOptions,
  type ImportProblem,
  type ImportSession,
  LabelsError,
} from '@kp/importers';
import { UsageError } from './exit.ts';
import { describeFileError, type Input } from './inputs.ts';
import { labelsRefused } from './labels.ts';
import type { Run } from './run.ts';
import { count, grouped } from './text.ts';

/** Who hears of what is going on while the inputs are read, and may end it. */
export interface ReadingListener {
  problem(message: string, amount?: number): void;
  readonly progress: { read(bytes: number): void };
  /** Once aborted, there are no more runs. */
  readonly stopped: AbortSignal;
}

/**
 * The runs of all inputs, in their order; those that may go on in another input come at the end.
 * What cannot be read is told to the listener and costs no other.
 *
 * @param labels - name of the file of labels, for messages.
 * @throws {@link UsageError} when nothing tells which labels are meant.
 */
export async function* readRuns(
  session: ImportSession,
  inputs: readonly Input[],
  labels: string | undefined,
  listener: ReadingListener,
): AsyncGenerator<Run> {
  const lists = new Map<string, ProblemList>();
  function* take(item: ImportedTrace, input: Input | undefined): Generator<Run> {
    const name = item.file ?? input?.name ?? '';
    // The files of an archive have names that begin with its own.
    const list = lists.get(input?.name ?? '') ?? [...lists.values()].find((of) => of.covers(name));
    if (item.kind === 'error') list?.add(`${name}:${problemText(item.error)}`);
    else list?.runFound();
    if ('trace' in item) yield toRun(item, name);
  }
  try {
    for (const input of inputs) {
      const list = createProblemList(input.name, listener);
      lists.set(input.name, list);
      const held = session.heldBytes();
      try {
        for await (const item of session.read(counted(input, listener), input.path)) {
          yield* take(item, input);
        }
      } catch (error) {
        if (error instanceof LabelsError || !isReadingError(error)) throw error;
        if (!listener.stopped.aborted) list.add(`${input.name}: ${describeFileError(error)}`);
      }
      if (listener.stopped.aborted) return;
      if (session.heldBytes() !== held) list.runFound();
      else list.end();
    }
    // What has no file is from standard input.
    const unnamed = inputs.find(({ path }) => path === undefined);
    for await (const item of session.end()) {
      yield* take(item, item.file === undefined ? unnamed : undefined);
    }
    for (const list of lists.values()) list.end();
  } catch (error) {
    if (error instanceof LabelsError) throw labelsRefused(labels, error);
    if (!listener.stopped.aborted) throw error;
  }
}

/**
 * Asks the runs of files for the `--success` expression, up to the first that can answer. Standard
 * input can be read only once.
 *
 * @throws {@link UsageError} when no run can answer it.
 */
export async function checkExpression(
  inputs: readonly Input[],
  options: ImportOptions,
  stopped: AbortSignal,
): Promise<void> {
  if (inputs.some(({ bytes }) => bytes === undefined)) return;
  const session = createImportSession({ ...options, labels: undefined, signal: stopped });
  const verdicts = new Set<string>();
  const isAnswered = (item: ImportedTrace): boolean => {
    // A trace that was imported before tells the field, and no longer has it.
    const isAsRecorded = 'trace' in item && item.format !== 'kp';
    if (isAsRecorded && item.provenance?.verdict) verdicts.add(item.provenance.verdict);
    return session.report().expression?.answered !== 0;
  };
  for (const input of inputs) {
    try {
      for await (const item of session.read(input.open(stopped), input.path)) {
        if (isAnswered(item)) return;
      }
    } catch (error) {
      // Where it is read for its runs, this is reported.
      if (!isReadingError(error)) throw error;
    }
  }
  if (stopped.aborted) return;
  for await (const item of session.end()) if (isAnswered(item)) return;
  throw expressionUnanswered(session, [...verdicts]);
}

/** The refusal of a `--success` expression that no run answers. */
export function expressionUnanswered(
  session: ImportSession,
  verdicts: readonly string[] = [],
): UsageError {
  const { runs, expression } = session.report();
  const known = verdicts.length === 0 ? '' : `; they record ${verdicts.slice(0, 5).join(', ')}`;
  return new UsageError(
    `--success ${expression?.text}: expected a field or a scorer that some run has, received ${count(runs, 'run')} without it${known}`,
  );
}

/** Errors of files and streams have a code, mistakes in the program have none. */
function isReadingError(error: unknown): error is Error {
  return error instanceof Error && Reflect.get(error, 'code') !== undefined;
}

/** Begins with the line. The names of all formats would fill a screen each time. */
function problemText({ code, line, message, received }: ImportProblem): string {
  return code === 'UNKNOWN_FORMAT' && received !== undefined
    ? `${line}: expected a recording in one of the formats that kp formats lists, received ${received}`
    : message.replace(/^line (\d+)/, '$1');
}

/** What is wrong in one input: a line or a few, never thousands. */
interface ProblemList {
  /** Whether a file is this input, or in it. */
  covers(file: string): boolean;
  add(message: string): void;
  runFound(): void;
  end(): void;
}

const SHOWN = 5;

/**
 * An input with runs in it says the first few of its problems as they come; one without any, such
 * as a foreign file in a folder, only the first, at its end.
 */
function createProblemList(name: string, listener: ReadingListener): ProblemList {
  const held: string[] = [];
  let runs = false;
  let ended = false;
  let amount = 0;
  return {
    covers: (file) => file === name || file.startsWith(`${name}/`),
    add(message) {
      amount++;
      if (amount > SHOWN) return;
      if (runs) listener.problem(message);
      else held.push(message);
    },
    runFound() {
      if (!runs) for (const message of held) listener.problem(message);
      runs = true;
    },
    end() {
      if (ended) return;
      ended = true;
      const more = amount - SHOWN;
      if (runs) {
        if (more > 0) listener.problem(`${name}: and ${grouped(more)} more such`, more);
        return;
      }
      const [first = `${name}: expected at least one trace, received an input without any`] = held;
      const others = amount > 1 ? ` (and ${grouped(amount - 1)} more in this input)` : '';
      listener.problem(first + others);
    },
  };
}

async function* counted(input: Input, listener: ReadingListener): AsyncGenerator<Uint8Array> {
  for await (const chunk of input.open(listener.stopped)) {
    listener.progress.read(chunk.length);
    yield chunk;
  }
}

function toRun(item: Extract<ImportedTrace, { trace: unknown }>, name: string): Run {
  if (item.kind === 'unlabelled') {
    throw new TypeError('assumeSuccess: expected true or false, received nothing');
  }
  const { trace, file = name, line, format, provenance, record } = item;
  return { trace, file, line, format, provenance, record };
}
