import type { ByteSource } from '../bytes/byte-source.ts';
import type { ImportReport } from '../rules/run-rules.ts';
import type { ImportedTrace } from './imported-trace.ts';

/** An import of several inputs, whose runs may be spread over them. */
export interface ImportSession {
  /**
   * Reads an input for the names of its runs. With labels every input is surveyed before the first
   * one is read: a label counts only if it fits one run of all.
   *
   * @param source - bytes or text, at once or in chunks.
   * @param name - the file's name; the same as for `read`.
   * @throws whatever reading the source throws.
   */
  survey(source: ByteSource, name?: string): Promise<void>;
  /**
   * As `survey`, of objects in memory.
   *
   * @param objects - parsed records.
   * @param name - name of the input; the same as for `readObjects`.
   */
  surveyObjects(objects: unknown, name?: string): Promise<void>;
  /**
   * The runs of one more input. A run that may continue in another input comes from `end`. Read one
   * input after the other.
   *
   * @param source - bytes or text, at once or in chunks.
   * @param name - the file's name, for labels and messages.
   * @throws {@link LabelsError} when there are labels and no input was surveyed.
   * @throws whatever reading the source throws; the session continues without the rest of it.
   */
  read(source: ByteSource, name?: string): AsyncGenerator<ImportedTrace>;
  /**
   * As `read`, of objects in memory; see {@link tracesFrom}.
   *
   * @param objects - one, an array, or an iterable, also an asynchronous one.
   * @param name - for labels and messages.
   */
  readObjects(objects: unknown, name?: string): AsyncGenerator<ImportedTrace>;
  /** The runs that waited for further inputs: sessions of agents, traces of spans. */
  end(): AsyncGenerator<ImportedTrace>;
  /** How much JSON waits for further inputs: an input without a run may have added to it. */
  heldBytes(): number;
  /** What is to be said of the import so far. */
  report(): ImportReport;
}
