import { safeParseTrace } from '@knowledgepulse/sdk';
import type { ImportOptions } from '@kp/importers';
import { wrongUse } from '../output/errors.ts';
import { type ExitStatus, exitStatus } from '../output/exit.ts';
import { openTerminal, type Terminal } from '../output/terminal.ts';
import { count, oneLine } from '../output/text.ts';
import { openSession, type SurveyChoices } from './first-pass.ts';
import type { Input } from './input.ts';
import { refuseMissing, resolveInputs } from './inputs.ts';
import { labelProblem } from './labels.ts';
import { type OptionFacts, openVerdictNotes, optionNotes, withoutAgent } from './option-remarks.ts';
import { type InputFlags, inputChoiceOf } from './options.ts';
import { createInvalidList } from './problem-list.ts';
import { type ReadingListener, type RunPreparer, readRuns } from './read-runs.ts';
import { crashedLines, excludedNotes, foreignNotes, otherFileNotes } from './reading-notes.ts';
import { type CrashedRun, invalidReason, type RefusedRun, type Run } from './run.ts';
import { fieldsOf } from './run-fields.ts';
import type { Where } from './where.ts';

/** Open inputs of a command. */
export interface OpenedRuns {
  readonly terminal: Terminal;
  /** Runs in input order. Unreadable parts are reported and skipped. */
  readonly runs: AsyncIterable<Run>;
  /** The same runs in groups: those that a worker has prepared together, or a single one. */
  readonly batches: AsyncIterable<readonly Run[]>;
  /** Condition on scores; undefined keeps all runs. */
  readonly scoreFilter: Where | undefined;
  /** Number of runs read so far. */
  readonly amount: () => number;
  /** Runs so far that match the condition and crashed before their first step. */
  readonly crashed: () => readonly CrashedRun[];
  /** Number of runs so far that do not match the condition. */
  readonly leftOut: () => number;
  /** Input parts so far that are not valid runs. */
  readonly refused: () => readonly RefusedRun[];
  /** Files of the folders so far that contain no recording; none with `--strict`, where each is a problem. */
  readonly foreign: () => readonly string[];
  /** What the inputs so far say of the options and of the folders. */
  readonly facts: () => InputFacts;
  /** Reports a run with an invalid trace. */
  refuse(run: Run, error: Error): void;
  /** Lines on the options and the inputs for a summary. */
  readonly notes: () => readonly string[];
  /** Those on the inputs alone, for one of several sets of runs that the options concern. */
  readonly inputNotes: () => readonly string[];
  /** Removes the progress line and returns the exit code. */
  close(findings?: { readonly no: boolean }): ExitStatus;
}

/** What the inputs say of the options and of the folders. */
interface InputFacts extends OptionFacts {
  /** Number of files of other kinds in the folders, and of those that `--exclude` left out. */
  readonly otherFiles: number;
  readonly excluded: number;
}

interface OpenFlags {
  readonly quiet?: boolean;
  readonly corpus?: boolean;
  readonly outcomeModel?: string;
  /** A file or folder whose content the results replace, so every input must exist. */
  readonly output?: string;
}

/** Chooses some of the inputs to read. */
type TakeInputs = (inputs: readonly Input[], options: ImportOptions) => Promise<readonly Input[]>;

/** Starts what prepares runs in advance; undefined if nothing is worth it. */
export type OpenPreparer = (
  inputs: readonly Input[],
  options: ImportOptions,
  terminal: Terminal,
) => RunPreparer | undefined;

/** How the inputs of a command are read. */
export interface ReadingChoices extends Omit<SurveyChoices, 'alongside'> {
  /**
   * The operands of the other set of a comparison. A label that names a run of each set does not tell which of them
   * it means.
   */
  readonly otherSet?: readonly string[];
  /**
   * Chooses the inputs whose runs to read; default: all. The labels of runs and the meaning of grades
   * depend on all inputs nevertheless.
   */
  readonly take?: TakeInputs;
  /**
   * Whether to report problems with the labels of all inputs, although some of them are not read; default: if
   * any run is read.
   */
  readonly reportsLabels?: boolean;
  /** Whether to report what is missing or cannot be read in the folders; default: true. */
  readonly reportsInputs?: boolean;
  /** Whether to warn of options with less effect than expected; default: if the runs are scored. */
  readonly warns?: boolean;
  /** Starts what prepares runs in advance; default: nothing does. */
  readonly openPreparer?: OpenPreparer;
  /** Whether every problem is a message; default: the first few of a file. */
  readonly showsAll?: boolean;
}

/**
 * Opens all inputs of a command.
 *
 * @param purpose - `scoring` passes the runs to {@link scoreRuns}, which applies conditions on
 * scores; all other purposes reject such conditions.
 * @throws `UsageError` if an option is invalid for the inputs, or if an input is missing whose results would replace
 * an earlier output.
 */
export async function openRuns(
  files: readonly string[],
  flags: InputFlags & OpenFlags,
  purpose: 'reading' | 'scoring' = 'reading',
  {
    take,
    otherSet,
    reportsLabels,
    reportsInputs = true,
    warns = purpose === 'scoring',
    openPreparer,
    showsAll = false,
    needsAll = false,
    ...survey
  }: ReadingChoices = {},
): Promise<OpenedRuns> {
  const { where } = flags;
  if (where?.needsScore === true && purpose === 'reading') {
    const expected = 'a condition on the recording';
    throw wrongUse(`--where ${where.expression}`, expected, 'a condition on scores');
  }
  if (where !== undefined) checkEvidence(where, flags);
  const { options, verdictPath, warnings, unusedDomains } = await inputChoiceOf(flags);
  const resolved = await resolveInputs(files, flags);
  const { missing, skipped, otherFiles, excluded, unusedGlobs } = resolved;
  if (flags.output !== undefined) refuseMissing(missing);
  const taken = await take?.(resolved.inputs, options);
  const alongside = await filesOfOtherSet(otherSet, resolved.inputs, flags);
  const surveyed = flags.labels === undefined ? [] : [...resolved.inputs, ...alongside];
  const toRead = [...surveyed, ...(taken ?? resolved.inputs)];
  const terminal = openTerminal(totalBytes(toRead), flags.quiet === true);
  if (warns) for (const message of warnings) terminal.warn(message);
  const opened = await openSession(resolved.inputs, options, flags, terminal, {
    ...survey,
    needsAll,
    alongside,
    verdictPath,
  });
  const { session, inputs } = opened;
  const preparer = openPreparer?.(resolved.inputs, opened.options, terminal);
  if (reportsInputs) for (const message of [...missing, ...skipped]) terminal.problem(message);
  const foreign: string[] = [];
  const crashed: CrashedRun[] = [];
  const refused: RefusedRun[] = [];
  const invalid = createInvalidList(terminal, showsAll);
  let amount = 0;
  let leftOut = 0;
  const runFilter = where?.needsScore === true ? undefined : where;
  const listener: ReadingListener = {
    ...terminal,
    showsAll,
    needsAll,
    crashed(run) {
      // A crashed run has no score, so it never matches a condition on scores.
      if (where?.matches({ fields: run.fields }) === false) leftOut++;
      else crashed.push(run);
    },
    refused: (run) => void refused.push(run),
    foreign(file) {
      if (flags.strict !== true) foreign.push(file);
      else terminal.problem(`${file}: expected a recording, received other data`);
    },
  };
  async function* filtered(): AsyncGenerator<readonly Run[]> {
    for await (const found of readRuns(
      session,
      taken ?? inputs,
      flags.labels,
      listener,
      preparer,
    )) {
      const kept = runFilter === undefined ? found : found.filter((run) => keeps(runFilter, run));
      leftOut += found.length - kept.length;
      amount += kept.length;
      if (kept.length > 0) yield kept;
    }
  }
  const batches = filtered();
  const facts = (): InputFacts => {
    const { runs, success, labels } = session.report();
    const unused = { unusedDomains: unusedDomains(), unusedGlobs };
    return { runs, success, labels, ...unused, otherFiles, excluded };
  };
  const inputNotes = (): readonly string[] => {
    const report = session.report();
    return [
      ...openVerdictNotes(report),
      ...withoutAgent(report),
      ...crashedLines(crashed),
      ...otherFileNotes(otherFiles),
      ...foreignNotes(foreign),
      ...excludedNotes(excluded),
      ...(leftOut > 0 ? [`${count(leftOut, 'run')} left out by --where`] : []),
    ];
  };
  return {
    terminal,
    runs: oneByOne(batches),
    batches,
    scoreFilter: where?.needsScore === true ? where : undefined,
    amount: () => amount,
    crashed: () => crashed,
    leftOut: () => leftOut,
    refused: () => refused,
    foreign: () => foreign,
    facts,
    refuse(run, error) {
      const refusal = { file: run.file, line: run.line, reason: invalidReason(error) };
      refused.push({ kind: 'refused', ...refusal });
      invalid.add(refusal);
    },
    notes: () => [...optionNotes(flags, facts()), ...inputNotes()],
    inputNotes,
    close({ no } = { no: false }) {
      invalid.tellRest();
      terminal.release();
      const { labels, runs } = session.report();
      const isReporting = reportsLabels ?? runs > 0;
      const mislabelled = isReporting ? labelProblem(flags.labels, labels) : undefined;
      if (mislabelled !== undefined) terminal.problem(mislabelled);
      return exitStatus({
        no,
        missing: missing.length > 0,
        problems: terminal.problems(),
        interrupted: terminal.interrupted(),
      });
    },
  };
}

/**
 * Returns the inputs of the other set that are not in this one, for labels.
 *
 * @throws UsageError for a stream in either set: it is read only once, so no label could name runs of both sets.
 */
async function filesOfOtherSet(
  operands: readonly string[] | undefined,
  inputs: readonly Input[],
  flags: InputFlags,
): Promise<readonly Input[]> {
  if (operands === undefined || flags.labels === undefined) return [];
  const others = await resolveInputs(operands, flags);
  const stream = [...inputs, ...others.inputs].find(({ bytes }) => bytes === undefined);
  if (stream !== undefined) {
    throw wrongUse(
      '--labels',
      'files on both sides of a comparison',
      oneLine(stream.name),
      'save it to a file first',
    );
  }
  const own = new Set(inputs.map(({ path }) => path));
  return others.inputs.filter(({ path }) => !own.has(path));
}

async function* oneByOne(batches: AsyncIterable<readonly Run[]>): AsyncGenerator<Run> {
  for await (const batch of batches) yield* batch;
}

/**
 * Whether a run matches. An invalid trace has no fields to check, so it is kept and rejected later
 * with the reason.
 */
export function keeps(where: Where, run: Run): boolean {
  const isValid = run.prepared !== undefined || safeParseTrace(run.trace).success;
  return !isValid || where.matches({ fields: fieldsOf(run) });
}

function totalBytes(inputs: readonly Input[]): number | undefined {
  let total = 0;
  for (const { bytes } of inputs) {
    if (bytes === undefined) return undefined;
    total += bytes;
  }
  return total;
}

/** @throws UsageError for a condition on evidence that no option provides. */
export function checkEvidence({ expression, evidence }: Where, flags: OpenFlags): void {
  const demand = (isThere: boolean, expected: string): void => {
    if (!isThere) throw wrongUse(`--where ${expression}`, expected, 'none');
  };
  if (evidence.has('agreement')) demand(flags.corpus === true, 'kp score --corpus');
  if (evidence.has('estimate')) demand(flags.outcomeModel !== undefined, '--outcome-model');
}
