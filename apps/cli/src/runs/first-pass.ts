import { codeOf, InvalidValueError } from '@kp/foundation';
import {
  createImportSession,
  type ImportedTrace,
  type ImportOptions,
  type ImportSession,
  type LabelAssignments,
  LabelsError,
} from '@kp/importers';
import { type UsageError, wrongUse } from '../output/errors.ts';
import { count } from '../output/text.ts';
import { holdStandardInput, type Input } from './input.ts';
import { labelsRefused } from './labels.ts';
import type { InputFlags } from './options.ts';
import { counted, type ReadingListener } from './read-runs.ts';

/** @throws LabelsError if it is ambiguous which labels apply. */
export type LabelSurvey = () => Promise<LabelAssignments>;

/** How the names of all runs are read for labels. */
export interface SurveyChoices {
  /** Other inputs with runs that a label may name; this session does not read their runs. */
  readonly alongside?: readonly Input[];
  /** Where the mapping of `--map` finds the verdict of a run. */
  readonly verdictPath?: string;
  /** Called while the names are read. */
  readonly onNames?: () => void;
  /** Returns stored labels, or those of the survey, which reads the names of all runs. */
  readonly keepLabels?: (survey: LabelSurvey) => Promise<LabelAssignments>;
}

/** A session that can read the runs. */
interface OpenedSession {
  readonly session: ImportSession;
  /** The inputs, which can be read once more. */
  readonly inputs: readonly Input[];
  /** The options of the session, with the meaning of grades. */
  readonly options: ImportOptions;
}

/**
 * Reads the inputs for what must be known before their runs are read: what grades mean, whether
 * `--success` can be answered, whether the mapping finds a verdict, and which run each label means.
 *
 * @throws `UsageError` if an option is invalid for the inputs.
 */
export async function openSession(
  found: readonly Input[],
  chosen: ImportOptions,
  flags: Pick<InputFlags, 'confidence' | 'labels' | 'success' | 'map'>,
  terminal: Pick<ReadingListener, 'stopped' | 'progress'>,
  { alongside = [], verdictPath, onNames, keepLabels }: SurveyChoices = {},
): Promise<OpenedSession> {
  const { stopped } = terminal;
  // Any other source of confidence takes precedence over the grades.
  const isOpen = [flags.confidence, flags.labels, flags.success].every(
    (flag) => flag === undefined,
  );
  const gradeAsConfidence =
    chosen.gradeAsConfidence ?? (isOpen && (await haveGradesOnly(found, chosen, stopped)));
  const options = { ...chosen, gradeAsConfidence };
  const session = createSession({ ...options, signal: stopped }, flags.labels);
  const isReadTwice = [flags.success, flags.labels, verdictPath].some((each) => each !== undefined);
  const inputs = isReadTwice ? await holdStandardInput(found, stopped) : found;
  const opened = { session, inputs, options };
  if (flags.success !== undefined) await checkExpression(inputs, chosen, stopped);
  if (verdictPath !== undefined) {
    await checkVerdictPath(`--map ${flags.map}`, verdictPath, inputs, chosen, stopped);
  }
  if (flags.labels === undefined) return opened;
  const survey = (): Promise<void> =>
    surveyRuns(session, [...inputs, ...alongside], stopped, (bytes) => {
      terminal.progress.read(bytes);
      onNames?.();
    });
  if (keepLabels === undefined) {
    await survey();
    return opened;
  }
  const find = async (): Promise<LabelAssignments> => {
    await survey();
    stopped.throwIfAborted();
    return (await session.labelAssignments()) as LabelAssignments;
  };
  const labels = await keepLabels(find).catch((error: unknown) => {
    throw error instanceof LabelsError ? labelsRefused(flags.labels, error) : error;
  });
  return {
    ...opened,
    session: createSession({ ...options, labels, signal: stopped }, flags.labels),
  };
}

/** @throws `UsageError` if the import does not support an option, or no label names a run. */
export function createSession(options: ImportOptions, labels: string | undefined): ImportSession {
  try {
    return createImportSession(options);
  } catch (error) {
    if (error instanceof LabelsError) throw labelsRefused(labels, error);
    if (!(error instanceof InvalidValueError)) throw error;
    throw wrongUse(`--${error.subject}`, error.expected, error.received, error.remedy);
  }
}

/**
 * Reads the names of all runs, because a label counts only if it matches exactly one run.
 * Unreadable parts are reported later, when the runs are read.
 *
 * @param onBytes - called while it reads, with the number of bytes since the last call.
 */
async function surveyRuns(
  session: ImportSession,
  inputs: readonly Input[],
  stopped: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<void> {
  for (const input of inputs) {
    try {
      await session.survey(counted(input, stopped, onBytes), input.path);
    } catch (error) {
      if (stopped.aborted) return;
      if (codeOf(error) === undefined) throw error;
    }
  }
}

/**
 * Tests the `--success` expression on the runs, up to the first one that can answer it.
 *
 * @throws {@link UsageError} if no run can answer it.
 */
async function checkExpression(
  inputs: readonly Input[],
  options: ImportOptions,
  stopped: AbortSignal,
): Promise<void> {
  const session = createImportSession({ ...options, labels: undefined, signal: stopped });
  const verdicts = new Set<string>();
  const isAnswered = (item: ImportedTrace): boolean => {
    // A previously imported trace has the field's name but no longer its value.
    const isAsRecorded = 'trace' in item && item.format !== 'kp';
    if (isAsRecorded && item.provenance?.verdict) verdicts.add(item.provenance.verdict);
    return session.report().expression?.answered !== 0;
  };
  if (await readUntil(isAnswered, session, inputs, stopped)) return;
  throw expressionUnanswered(session, [...verdicts]);
}

/**
 * Looks for the verdict of a mapping in the runs, up to the first one that has it.
 *
 * @throws {@link UsageError} if no run has it.
 */
async function checkVerdictPath(
  subject: string,
  path: string,
  inputs: readonly Input[],
  options: ImportOptions,
  stopped: AbortSignal,
): Promise<void> {
  const recorded = { ...options, labels: undefined, success: undefined, signal: stopped };
  const session = createImportSession(recorded);
  const isFound = (): boolean => {
    const { success, choices, unreadable } = session.report();
    return success.recorded + success.graded + choices.length + unreadable.length > 0;
  };
  if (await readUntil(isFound, session, inputs, stopped)) return;
  const { runs } = session.report();
  if (runs === 0) return;
  const received = `${count(runs, 'run')} without it`;
  throw wrongUse(subject, `the verdict ${path} in at least one run`, received);
}

/** Whether an item has what is looked for, or the user stopped the reading. Later items are not read. */
async function readUntil(
  isFound: (item: ImportedTrace) => boolean,
  session: ImportSession,
  inputs: readonly Input[],
  stopped: AbortSignal,
): Promise<boolean> {
  for (const input of inputs) {
    try {
      for await (const item of session.read(input.open(stopped), input.path)) {
        if (isFound(item)) return true;
      }
    } catch (error) {
      if (codeOf(error) === undefined) throw error;
    }
  }
  if (stopped.aborted) return true;
  for await (const item of session.end()) if (isFound(item)) return true;
  return false;
}

/**
 * Whether every run in files with outcomes has a grade and none has a confidence. Stops at the
 * first other run; stdin can be read only once.
 */
async function haveGradesOnly(
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
        if (item.kind !== 'trace') continue;
        // A trace that was not imported records its own confidence.
        const { success, confidence } = item.provenance ?? {};
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

/** Creates an error for a `--success` expression that no run can answer. */
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
