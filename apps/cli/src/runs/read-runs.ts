import { codeOf } from '@kp/foundation';
import {
  createImportSession,
  type ImportedTrace,
  type ImportOptions,
  type ImportProblem,
  type ImportSession,
  LabelsError,
} from '@kp/importers';
import { type UsageError, wrongUse } from '../output/errors.ts';
import { count } from '../output/text.ts';
import { describeFileError, type Input } from './inputs.ts';
import { labelsRefused } from './labels.ts';
import { createProblemList, type ProblemList, type ProblemListener } from './problem-list.ts';
import type { CrashedRun, RefusedRun, Run } from './run.ts';
import { crashedFields } from './run-fields.ts';

/** Who is told what happens while the inputs are read, and may end it. */
export interface ReadingListener extends ProblemListener {
  crashed(run: CrashedRun): void;
  readonly progress: { read(bytes: number): void };
  /** Once aborted, there are no more runs. */
  readonly stopped: AbortSignal;
}

/**
 * The runs of all inputs, in their order; those that may continue in another input come at the end.
 * What cannot be read is reported to the listener, and the rest is read.
 *
 * @param labels - name of the file of labels, for messages.
 * @throws {@link UsageError} when it is not clear which labels are meant.
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
    // The files of an archive have names that begin with that of the archive.
    const list = lists.get(input?.name ?? '') ?? [...lists.values()].find((of) => of.covers(name));
    if (item.kind === 'error') {
      list?.add(describeRefusal(name, item.error), item.error.code === 'UNKNOWN_FORMAT');
      return;
    }
    list?.runFound();
    if (item.kind === 'crashed') listener.crashed(toCrashedRun(item, name));
    else yield toRun(item, name);
  }
  try {
    for (const input of inputs) {
      const list = createProblemList(input.name, input.isFound, listener);
      lists.set(input.name, list);
      const held = session.heldBytes();
      try {
        for await (const item of session.read(counted(input, listener), input.path)) {
          yield* take(item, input);
        }
      } catch (error) {
        if (error instanceof LabelsError || codeOf(error) === undefined) throw error;
        if (!listener.stopped.aborted) {
          list.add({ file: input.name, reason: describeFileError(error) }, false);
        }
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
 * Reads all inputs for the names of their runs: a label counts only if it fits one run of all. What
 * cannot be read is reported when the inputs are read for their runs.
 */
export async function surveyRuns(
  session: ImportSession,
  inputs: readonly Input[],
  stopped: AbortSignal,
): Promise<void> {
  for (const input of inputs) {
    try {
      await session.survey(input.open(stopped), input.path);
    } catch (error) {
      if (stopped.aborted) return;
      if (codeOf(error) === undefined) throw error;
    }
  }
}

/**
 * Asks the runs for the `--success` expression, up to the first that can answer.
 *
 * @throws {@link UsageError} when no run can answer it.
 */
export async function checkExpression(
  inputs: readonly Input[],
  options: ImportOptions,
  stopped: AbortSignal,
): Promise<void> {
  const session = createImportSession({ ...options, labels: undefined, signal: stopped });
  const verdicts = new Set<string>();
  const isAnswered = (item: ImportedTrace): boolean => {
    // A trace that was imported before names the field, but no longer has it.
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
      if (codeOf(error) === undefined) throw error;
    }
  }
  if (stopped.aborted) return;
  for await (const item of session.end()) if (isAnswered(item)) return;
  throw expressionUnanswered(session, [...verdicts]);
}

/**
 * Whether every run of files with a verdict has a grade, and none a confidence. Reads up to the first
 * that has something else; standard input can be read only once.
 */
export async function haveGradesOnly(
  inputs: readonly Input[],
  options: ImportOptions,
  stopped: AbortSignal,
): Promise<boolean> {
  if (inputs.some(({ bytes }) => bytes === undefined)) return false;
  const session = createImportSession({ ...options, labels: undefined, signal: stopped });
  let graded = 0;
  for (const input of inputs) {
    try {
      for await (const item of session.read(input.open(stopped), input.path)) {
        if (item.kind !== 'trace' || item.provenance === undefined) continue;
        const { success, confidence } = item.provenance;
        if (success === 'graded' && confidence === 'assumed') graded++;
        else return false;
      }
    } catch (error) {
      if (stopped.aborted) return false;
      if (codeOf(error) === undefined) throw error;
    }
  }
  return graded > 0;
}

/** The refusal of a `--success` expression that no run answers. */
export function expressionUnanswered(
  session: ImportSession,
  verdicts: readonly string[] = [],
): UsageError {
  const { runs, expression } = session.report();
  const known =
    verdicts.length === 0 ? undefined : `they record ${verdicts.slice(0, 5).join(', ')}`;
  return wrongUse(
    `--success ${expression?.text}`,
    'a field or a scorer of at least one run',
    `${count(runs, 'run')} without it`,
    known,
  );
}

/** A part of an input that cannot be read. */
export function describeRefusal(file: string, error: ImportProblem): Omit<RefusedRun, 'kind'> {
  const { code, line, column, message, received } = error;
  // The names of all formats would fill a screen each time.
  const reason =
    code === 'UNKNOWN_FORMAT' && received !== undefined
      ? `expected a recording in one of the formats that kp formats lists, received ${received}`
      : message.replace(/^line \d+(?:, column \d+)?: /, '');
  return { file, line, column, reason };
}

/** What the outputs say of a run that crashed. */
export function toCrashedRun(
  item: Extract<ImportedTrace, { kind: 'crashed' }>,
  name: string,
): CrashedRun {
  const { record: _, file = name, line: __, format: ___, ...record } = item;
  const { reason, provenance } = item;
  return { kind: 'crashed', fields: crashedFields(item, file), reason, provenance, record };
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
