import type { JsonValue } from './json/json-value.ts';
import type { RecordedRun } from './recorded-run.ts';
import type { RecordingError } from './recording-error.ts';

/** What makes a value look like a recording of a format. */
export interface Detection {
  /** What was seen, in a few words, for error messages. */
  readonly seen: string;
  /** `distinct`: no other known format looks like this. `possible`: it could be read this way. */
  readonly fit: 'distinct' | 'possible';
}

/** How recordings of one format become runs. */
export interface Importer {
  /** The name by which the format is chosen, in lower case with hyphens. */
  readonly name: string;
  /** What it is, in a line, for people. */
  readonly title: string;
  /** Looks at the content alone; undefined when it cannot be of this format. */
  detect(value: JsonValue): Detection | undefined;
  /**
   * Names the group that `value` belongs to when it is only a piece of a run, such as one event
   * a line. The pieces of a group are put together in an array, which is then detected and read
   * as one value. Formats whose pieces look alike share a group name.
   */
  pieceOf?(value: JsonValue): string | undefined;
  /** The runs in `value`. A run that cannot be read is an error among them, and costs no other. */
  read(value: JsonValue): Iterable<RecordedRun | RecordingError>;
}

/** A registered name: a format's own, or `auto` to tell it from the content. */
export type FormatName = 'auto' | (string & {});
