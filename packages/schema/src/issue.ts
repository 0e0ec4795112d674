import type * as z from 'zod';
import { describeReceived } from './received.ts';

/** One problem of a trace. */
export interface TraceIssue {
  /** Where, as one would write it in code: `steps[3].type`; `trace` for the value as a whole. */
  readonly path: string;
  /** `<path>: expected <expected>, received <received>`. */
  readonly message: string;
  readonly expected: string;
  readonly received: string;
}

type ZodIssue = z.core.$ZodIssue;

export function createIssue(
  path: readonly PropertyKey[],
  expected: string,
  received: string,
): TraceIssue {
  const place = formatPath(path);
  return {
    path: place,
    expected,
    received,
    message: `${place}: expected ${expected}, received ${received}`,
  };
}

/** The same problem in our words; `input` is the value that was validated. */
export function fromZodIssue(issue: ZodIssue, input: unknown): TraceIssue {
  return createIssue(
    issue.path,
    describeExpected(issue),
    describeReceived(valueAt(input, issue.path)),
  );
}

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

function formatPath(path: readonly PropertyKey[]): string {
  let text = '';
  for (const key of path) {
    if (typeof key === 'number') text += `[${key}]`;
    else if (typeof key === 'symbol') text += `[${String(key)}]`;
    else if (!IDENTIFIER.test(key)) text += `[${describeReceived(key)}]`;
    else text += text === '' ? key : `.${key}`;
  }
  return text === '' ? 'trace' : text;
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

function describeExpected(issue: ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return describeType(issue.expected);
    case 'invalid_value':
      return issue.values.length === 1
        ? describeReceived(issue.values[0])
        : `one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return describeMinimum(issue.origin, issue.minimum);
    case 'too_big':
      return `at most ${issue.maximum}`;
    case 'invalid_format':
      return issue.format === 'datetime'
        ? 'an ISO 8601 date-time with Z or an offset, such as 2026-01-15T10:00:00Z'
        : 'text that starts with kp:trace: and goes on';
    default:
      return issue.message;
  }
}

function describeMinimum(origin: string, minimum: number | bigint): string {
  if (origin === 'string') return 'text that is not empty';
  if (origin === 'array') return minimum === 1 ? 'at least 1 step' : `at least ${minimum} entries`;
  return `at least ${minimum}`;
}

function describeType(expected: string): string {
  if (expected === 'int') return 'an integer';
  if (expected === 'number') return 'a finite number';
  if (expected === 'string') return 'text';
  if (expected === 'boolean') return 'true or false';
  if (expected === 'array') return 'an array';
  return expected === 'object' || expected === 'record' ? 'an object' : expected;
}
