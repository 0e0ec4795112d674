import type { Container } from '../containers/container.ts';
import type { FormatName, Importer } from '../importer/importer.ts';
import type { JsonValue } from '../json/json-value.ts';
import type { LabelFile, Labels } from '../labels/labels.ts';
import type { Turns } from '../messages/objective.ts';
import type { ShellTools } from '../shell/shell-tools.ts';

/** What a rule of the caller can decide by. */
export interface RunFacts {
  /** The name of the recording's format. */
  readonly format: string;
  /** What the recording calls the run: `{ task_id: 3, trial: 0 }`. */
  readonly source: Readonly<Record<string, string | number>>;
  /** What the recording calls the task. */
  readonly task: string | undefined;
  /** What the run was to do, where the recording says so. */
  readonly objective: string | undefined;
  /** Names of the tools called, each once, in the order of their first call. */
  readonly tools: readonly string[];
  /** The run's own part of the recording, as found. */
  readonly record: JsonValue;
}

/** What the recordings are, and what to take for granted where they say nothing. */
export interface ImportOptions {
  /** Default `auto`. */
  readonly format?: FormatName;
  /** Formats of your own, tried in this order before {@link BUILT_IN_IMPORTERS}. */
  readonly importers?: readonly Importer[];
  /** Containers of your own, tried in this order before the built-in ones. */
  readonly containers?: readonly Container[];
  /** `metadata.task_domain`; before what is recorded. Default `default` where nothing is. */
  readonly domain?: string | ((run: RunFacts) => string | undefined);
  /** `task.objective`; before what is recorded, which is then read as the user's first words. */
  readonly objective?: string;
  /** `outcome.confidence`, 0 to 1; before what is recorded, after a label. Default 0.5. */
  readonly confidence?: number;
  /**
   * Take the grade of a run for its confidence, so that 0.99 is worth more than 0.65; a verdict of 1
   * or 0 beside grades is a grade, too. After a label and `confidence`, before what is recorded.
   */
  readonly gradeAsConfidence?: boolean;
  /**
   * Whether the run succeeded; before what is recorded, after a label. A text is an expression on
   * the recording: `reward>=0.5`, `scores.match.value=C`, or a field or scorer whose recorded
   * verdict is to count, `match`.
   */
  readonly success?: boolean | string | ((run: RunFacts) => boolean | undefined);
  /** The grade from which on a run counts as succeeded, over 0 and up to 1. Default 0.5. */
  readonly passAt?: number;
  /** What a run counts as of which nothing says whether it succeeded. */
  readonly assumeSuccess?: boolean;
  /** What is known of the runs beside their recordings. */
  readonly labels?: Labels | LabelFile;
  /**
   * Of a thread that goes on: one run of `all` (the default), or only what follows the user's
   * `last` words that the agent answered.
   */
  readonly turns?: Turns;
  /**
   * What a tool is in a shell: the shell is `one` (the default), or each is called after its
   * program, `bash: grep`.
   */
  readonly shellTools?: ShellTools;
  /**
   * Reads an input although parts of it are recognised as different formats, or more than a tenth
   * of its lines as none. Otherwise such an input is a problem and none of it is read. With `force`
   * the first runs of a live source come at once, not after ten lines.
   */
  readonly force?: boolean;
  /** A JSON value of more bytes than this is refused and the rest is read. */
  readonly maxValueBytes?: number;
  /**
   * Runs that are spread over lines or inputs (sessions, spans) wait for their end in memory. Over
   * this much JSON the longest untouched ones are let go. Default 67,108,864.
   */
  readonly maxHeldBytes?: number;
  /** Ends the reading: the generator throws the signal's reason and closes its source. */
  readonly signal?: AbortSignal;
}

/** The grade from which on a run counts as succeeded unless said otherwise. */
export const DEFAULT_PASS_AT = 0.5;

/**
 * @throws RangeError when a confidence is not between 0 and 1 or `passAt` not over 0 and up to 1,
 *   TypeError when one is no number.
 */
export function checkImportOptions(options: ImportOptions): void {
  checkShare('confidence', options.confidence);
  checkShare('passAt', options.passAt);
  if (options.passAt === 0) throw new RangeError('passAt: expected a number over 0, received 0');
  if (!(options.labels instanceof Map)) return;
  for (const [run, label] of options.labels) {
    checkShare(`labels: confidence of ${run}`, label.confidence);
  }
}

function checkShare(name: string, value: unknown): void {
  if (value === undefined) return;
  if (typeof value !== 'number') {
    throw new TypeError(`${name}: expected a number, received ${typeof value}`);
  }
  if (!(value >= 0 && value <= 1)) {
    throw new RangeError(`${name}: expected a number from 0 to 1, received ${value}`);
  }
}
