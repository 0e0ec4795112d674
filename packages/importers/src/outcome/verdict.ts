import type { RecordedVerdict } from '../importer/importer.ts';
import { isJsonObject, type JsonValue } from '../json/json-value.ts';

/** What the statements of a recording come to. */
export interface Judgement {
  /** Undefined when nothing says it, or several say it and none of them goes before the others. */
  readonly success: boolean | undefined;
  readonly from: 'recorded' | 'graded' | 'unknown';
  /** The statement that decided. */
  readonly path?: string;
  /** In [0, 1], where the statement is a grade. */
  readonly grade?: number;
  /** The statements between which the caller has to choose. */
  readonly choices?: readonly string[];
}

/** One value as a verdict: outright, or a grade in [0, 1]. */
export type ReadVerdict =
  | { readonly kind: 'outright'; readonly success: boolean }
  | { readonly kind: 'grade'; readonly grade: number };

const PASSED =
  /^(?:true|yes|ok|pass(?:ed|es)?|correct|success(?:ful|fully)?|succeeded|(?:fully_)?resolved|solved|c)$/;
const FAILED =
  /^(?:false|no|fail(?:ed|s|ure)?|incorrect|wrong|unsuccessful|unresolved|unsolved|error|i|n)$/;
const GRADE_NAME = /(?:score|reward|grade|accuracy|correct|success|pass(?:ed)?|resolved)$/i;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/;

/**
 * Reads one value as a verdict. True and false, 1 and 0, and words such as `passed`, `resolved` or
 * Inspect's letters say it outright; a number between 0 and 1 is a grade, and so is Inspect's `P`
 * (0.5).
 *
 * @returns undefined for anything else: numbers on another scale, other words, nothing.
 */
export function readVerdict(value: unknown): ReadVerdict | undefined {
  if (typeof value === 'boolean') return { kind: 'outright', success: value };
  if (typeof value === 'number') return readNumber(value);
  if (typeof value !== 'string') return undefined;
  const word = value.trim().toLowerCase();
  if (PASSED.test(word)) return { kind: 'outright', success: true };
  if (FAILED.test(word)) return { kind: 'outright', success: false };
  if (word === 'p') return { kind: 'grade', grade: 0.5 };
  return NUMBER.test(word) ? readNumber(Number(word)) : undefined;
}

/**
 * Comes to a judgement: a crash goes before everything, then the statement that the recording's own
 * metric goes by, the only one there is, or the only one that is true or false. A grade counts as
 * a success from `passAt` on.
 */
export function judge(verdicts: readonly RecordedVerdict[], passAt: number): Judgement {
  const crash = verdicts.find(({ rank }) => rank === 'crash');
  if (crash !== undefined) return { success: false, from: 'recorded', path: crash.path };
  const readable = verdicts.flatMap(judgedParts).flatMap(({ path, value, rank }) => {
    const verdict = readVerdict(value);
    return verdict === undefined ? [] : [{ path, value, rank, verdict }];
  });
  const main = readable.filter(({ rank }) => rank === 'main');
  const candidates = main.length > 0 ? main : readable;
  const outright = candidates.filter(({ value }) => !isNumeric(value));
  const chosen = candidates.length === 1 ? candidates : outright;
  const [only, ...others] = chosen;
  if (only !== undefined && others.length === 0) return judgeOne(only.path, only.verdict, passAt);
  const choices = candidates.map(({ path }) => path);
  return { success: undefined, from: 'unknown', choices: choices.length > 1 ? choices : undefined };
}

const MOST_REASON_CHARACTERS = 300;

/** Why a run crashed, in one line: the text of its verdict, or the message of an error in it. */
export function reasonOf({ path, value }: RecordedVerdict): string {
  const fields = isJsonObject(value) ? value : {};
  const { message, exception_message, exception_type, type, name } = fields;
  const words = isJsonObject(value)
    ? [exception_type ?? type ?? name, message ?? exception_message]
        .filter((word) => typeof word === 'string')
        .join(': ')
    : value;
  const text = typeof words === 'string' && words.trim() !== '' ? words : path;
  const line = text.trim().split(/\s*\n/, 1)[0] ?? '';
  return line.length <= MOST_REASON_CHARACTERS
    ? line
    : `${line.slice(0, MOST_REASON_CHARACTERS - 1)}…`;
}

/** What one statement comes to. */
export function judgeOne(path: string, verdict: ReadVerdict, passAt: number): Judgement {
  if (verdict.kind === 'outright') return { success: verdict.success, from: 'recorded', path };
  const { grade } = verdict;
  return { success: grade >= passAt, from: 'graded', path, grade };
}

/** Statements of several fields, such as a score by criteria, stand for one each. */
export function spread({ path, value, rank }: RecordedVerdict): RecordedVerdict[] {
  if (!isJsonObject(value)) return [{ path, value, rank }];
  return Object.entries(value).map(([key, part]) => ({
    path: `${path}.${key}`,
    value: part,
    rank,
  }));
}

/** Of the fields of a statement, a number counts only where its name says that it is a grade. */
function judgedParts(verdict: RecordedVerdict): RecordedVerdict[] {
  const parts = spread(verdict);
  if (!isJsonObject(verdict.value)) return parts;
  return parts.filter(({ path, value }) => !isNumeric(value) || GRADE_NAME.test(path));
}

function readNumber(value: number): ReadVerdict | undefined {
  if (value === 0 || value === 1) return { kind: 'outright', success: value === 1 };
  return value > 0 && value < 1 ? { kind: 'grade', grade: value } : undefined;
}

/** Beside other scores a 1 may be the best grade as well as a yes. */
function isNumeric(value: JsonValue): boolean {
  return (
    typeof value === 'number' ||
    (typeof value === 'string' && (NUMBER.test(value.trim()) || value.trim().toLowerCase() === 'p'))
  );
}

/** Exit statuses of harnesses that say the run broke off: by an error, a limit, or from outside. */
const BROKE_OFF = /error|exceeded|exit_|early_exit|crash|fail|kill|timeout|timed_out|abort/i;

/** The exit status under `info` when it says that the run broke off before it handed anything in. */
export function readExitStatus(info: JsonValue | undefined): RecordedVerdict[] {
  const status = isJsonObject(info) ? info.exit_status : undefined;
  if (typeof status !== 'string' || /^submitted/i.test(status)) return [];
  if (!BROKE_OFF.test(status)) return [];
  return [{ path: 'info.exit_status', value: status, rank: 'crash' }];
}
