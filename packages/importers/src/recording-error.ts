import { describeJson } from './json/describe-json.ts';
import type { JsonValue } from './json/json-value.ts';

/** A part of a recording that is not what its format says. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError';
  readonly code = 'INVALID_RECORDING';
  readonly path: string;
  readonly expected: string;
  readonly received: string;

  constructor(path: string, expected: string, received: JsonValue | undefined) {
    const description = describeJson(received);
    super(`${path}: expected ${expected}, received ${description}`);
    this.path = path;
    this.expected = expected;
    this.received = description;
  }
}
