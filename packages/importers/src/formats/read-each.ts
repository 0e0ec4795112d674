import type { JsonValue } from '../json/json-value.ts';
import type { RecordedRun } from '../recorded-run.ts';
import { RecordingError } from '../recording-error.ts';

/** Reads runs one by one, so that one that cannot be read costs no other. */
export function* readEach(
  values: readonly JsonValue[],
  path: string,
  read: (value: JsonValue, path: string) => RecordedRun,
): Iterable<RecordedRun | RecordingError> {
  for (const [index, value] of values.entries()) {
    try {
      yield read(value, `${path}[${index}]`);
    } catch (error) {
      if (!(error instanceof RecordingError)) throw error;
      yield error;
    }
  }
}
