/** Why a part of the input could not be read. */
export type ProblemCode =
  | 'INVALID_JSON'
  | 'INVALID_UTF8'
  | 'VALUE_TOO_LONG'
  | 'value_too_deep'
  | 'DAMAGED_ARCHIVE'
  | 'UNKNOWN_FORMAT'
  | 'AMBIGUOUS_FORMAT'
  | 'INVALID_RECORDING';

/** What could not be read, where, and why: a record among the results, never thrown. */
export interface ImportProblem {
  readonly code: ProblemCode;
  /** One line for a person; begins with the position. */
  readonly message: string;
  /** Line of the input, from 1. */
  readonly line: number;
  /** Place in the line, from 1, in bytes of the UTF-8 text; absent when the whole value is meant. */
  readonly column?: number;
  readonly expected?: string;
  readonly received?: string;
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
  const message = `${place}: expected ${expected}, received ${received}${remark === undefined ? '' : `; ${remark}`}`;
  return { code, message, line, ...(column === undefined ? {} : { column }), expected, received };
}
