import { KnowledgePulseError } from '@kp/foundation';
import { describeJson, type JsonValue } from '../json/json-value.ts';

/** Why a part of the input could not be read. */
export type ProblemCode =
  | 'INVALID_JSON'
  | 'INVALID_UTF8'
  | 'VALUE_TOO_LONG'
  | 'value_too_deep'
  | 'DAMAGED_ARCHIVE'
  | 'DEPENDENCY_MISSING'
  | 'DEPENDENCY_BROKEN'
  | 'IMPORTER_FAILED'
  | 'UNKNOWN_FORMAT'
  | 'AMBIGUOUS_FORMAT'
  | 'MIXED_FORMATS'
  | 'INVALID_RECORDING'
  | 'NO_AGENT'
  | 'NOTHING_TO_SCORE'
  | 'INVALID_LABELS'
  | 'RUN_TOO_FAR_APART';

/** What could not be read, where, and why: a record among the results, never thrown. */
export interface ImportProblem {
  /** To match by. */
  readonly code: ProblemCode;
  /** One line for a person; begins with the position. */
  readonly message: string;
  /** Line of the input, from 1. */
  readonly line: number;
  /** Place in the line, from 1, in bytes of the UTF-8 text; absent when the whole value is meant. */
  readonly column?: number;
  /** What was expected there. */
  readonly expected?: string;
  /** What was there instead. */
  readonly received?: string;
}

/** What every error of this package tells besides its message. */
export abstract class ImportError extends KnowledgePulseError {
  /** To match by, across packages and copies of them. */
  declare readonly code: ProblemCode;
}

/** A part of a recording that is not what its format says. */
export class RecordingError extends ImportError {
  /** Where in the recording: `messages[3].role`. */
  readonly path: string;
  /** Which of the pieces that were put together it is in, from 0. */
  piece: number | undefined;

  constructor(
    path: string,
    expected: string,
    received: JsonValue | undefined,
    piece?: number,
    kind: { name: string; code: ProblemCode; received?: string } = {
      name: 'RecordingError',
      code: 'INVALID_RECORDING',
    },
  ) {
    const described = kind.received ?? describeJson(received);
    super({ name: kind.name, code: kind.code, subject: path, expected, received: described });
    this.path = path;
    this.piece = piece;
  }
}

/** A recording in which no agent did anything: metadata, a request without an answer. */
export class NothingToScoreError extends RecordingError {
  /** @param what - what the recording is, in place of a run. */
  constructor(path: string, what: string, piece?: number) {
    const kind = { name: 'NothingToScoreError', code: 'NOTHING_TO_SCORE', received: what } as const;
    super(path, 'at least one step of an agent', undefined, piece, kind);
  }
}

/** A trace of spans in which no agent did anything, such as that of a web server. */
export class NoAgentError extends RecordingError {
  /** Names of a few of its spans. */
  readonly spans: readonly string[];

  constructor(path: string, expected: string, spans: readonly string[]) {
    const kind = { name: 'NoAgentError', code: 'NO_AGENT' } as const;
    super(path, expected, spans.join(', '), undefined, kind);
    this.spans = spans;
  }
}

/** A compressed input that ends early or is damaged; what came before it has been delivered. */
export class DamagedArchiveError extends ImportError {
  /** Whether all of the data was delivered, and only what comes after it is something else. */
  readonly isComplete: boolean;

  constructor(expected: string, received: string, cause?: unknown, isComplete = false) {
    const kind = { name: 'DamagedArchiveError', code: 'DAMAGED_ARCHIVE' };
    super({ ...kind, subject: 'input', expected, received, cause });
    this.isComplete = isComplete;
  }
}

/** Labels that cannot be read, or that contradict each other. */
export class LabelsError extends ImportError {
  constructor(subject: string, expected: string, received: string) {
    super({
      name: 'LabelsError',
      code: 'INVALID_LABELS',
      subject: cutShort(subject),
      expected: cutShort(expected),
      received: cutShort(received),
    });
  }
}

const MOST_CHARACTERS = 300;

/** What is quoted of a file, for a message. */
function cutShort(text: string): string {
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
}

/** Makes a problem whose message is its position, what was expected and what was received. */
export function describeProblem(
  code: ProblemCode,
  position: { line: number; column?: number },
  expected: string,
  received: string,
  remark?: string,
): ImportProblem {
  const { line, column } = position;
  const place = column === undefined ? `line ${line}` : `line ${line}, column ${column}`;
  const ending = remark === undefined ? '' : `; ${remark}`;
  const message = `${place}: expected ${expected}, received ${received}${ending}`;
  const problem = { code, message, line, expected, received };
  return column === undefined ? problem : { ...problem, column };
}
