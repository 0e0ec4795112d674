import type { FormatName, Importer } from './importer.ts';
import type { JsonValue } from './json/json-value.ts';

/** What is known of a run besides the recording. */
export interface Label {
  readonly success?: boolean;
  /** 0 to 1. */
  readonly confidence?: number;
}

/**
 * Labels by run. A run is looked up by its trace id, by its source ids joined with `/`
 * (`3/0` for task 3, trial 0), and by the first of them (`3`), in this order.
 */
export type Labels = ReadonlyMap<string, Label>;

/** What a rule of the caller can decide by. */
export interface RunFacts {
  readonly format: string;
  readonly source: Readonly<Record<string, string | number>>;
  readonly objective: string | undefined;
  /** Names of the tools called, each once, in the order of their first call. */
  readonly tools: readonly string[];
  /** The run's own part of the recording, as found. */
  readonly record: JsonValue;
}

export interface ImportOptions {
  /** Default `auto`. */
  readonly format?: FormatName;
  /** The formats known. Default {@link BUILT_IN_IMPORTERS}; add your own to those. */
  readonly importers?: readonly Importer[];
  /** `metadata.task_domain`; before what is recorded. Default `default` where nothing is. */
  readonly domain?: string | ((run: RunFacts) => string | undefined);
  /** `outcome.confidence`, 0 to 1; before what is recorded, after a label. Default 0.5. */
  readonly confidence?: number;
  /** Whether the run succeeded; before what is recorded, after a label. */
  readonly success?: boolean | ((run: RunFacts) => boolean | undefined);
  /** What a run counts as of which nothing says whether it succeeded. */
  readonly assumeSuccess?: boolean;
  readonly labels?: Labels;
  /** A JSON value of more bytes than this is refused and the rest is read. */
  readonly maxValueBytes?: number;
}

/** @throws RangeError when a confidence is not between 0 and 1, TypeError when it is no number. */
export function checkImportOptions(options: ImportOptions): void {
  checkConfidence('confidence', options.confidence);
  for (const [run, label] of options.labels ?? []) {
    checkConfidence(`labels: confidence of ${run}`, label.confidence);
  }
}

function checkConfidence(name: string, value: unknown): void {
  if (value === undefined) return;
  if (typeof value !== 'number') {
    throw new TypeError(`${name}: expected a number, received ${typeof value}`);
  }
  if (!(value >= 0 && value <= 1)) {
    throw new RangeError(`${name}: expected a number from 0 to 1, received ${value}`);
  }
}
