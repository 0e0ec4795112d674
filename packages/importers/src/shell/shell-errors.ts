/** What a command of a shell gave back. */
export interface ShellResult {
  readonly command: string;
  readonly output: string;
  /** Whether the exit code was other than 0; undefined when it is not recorded. */
  readonly failed: boolean | undefined;
}

const MOST_SIGN_CHARACTERS = 100;
/** Of a long output the beginning and the end are searched: errors stand there. */
const SEARCHED_CHARACTERS = 20_000;
/** Of a line: complaints are short, and patterns would take their time over long ones. */
const SEARCHED_OF_LINE = 1000;
/** A command that worked has said something of an error only where it says little else. */
const MOST_LINES_OF_COMPLAINT = 12;

const SHELL = String.raw`(?:\S*/)?(?:ba|da|z|k)?sh: (?:(?:line )?\d+: )?`;
const PROGRAM = String.raw`(?:\S*/)?[\w.+-]+`;

/** Lines by which shells and programs refuse a command: unknown, misused, or without its files. */
const REFUSALS: readonly RegExp[] = [
  new RegExp(
    `^${SHELL}.*(?:not found|No such file or directory|Permission denied|syntax error.*|unexpected EOF.*)$`,
  ),
  new RegExp(`^${PROGRAM}: (?:No module named|can't open file) .*`),
  /^(?:sed|awk|gawk|grep|egrep|rg|cat|head|tail|ls|cp|mv|rm|find|diff|wc|chmod|mkdir|touch|tar|xargs|sort|cut|tr|tee|cd): (?:.*: )?(?:No such file or directory|Is a directory|Not a directory|Permission denied|cannot .*|can't .*|invalid .*|unrecognized .*|unknown .*|unterminated .*|Unmatched .*|missing .*|-e expression .*|warning: stray .*)/,
  /^(?:fatal|git): (?!ref ).*/,
  /^error: (?:pathspec|patch failed|corrupt patch|unrecognized|unknown|.*patch does not apply|.*does not exist in index|.*No such file).*/,
  /^(?:patch: \*\*\*\* .*|Hunk #\d+ FAILED.*|.*\d+ out of \d+ hunks? (?:FAILED|ignored).*)/,
  /^\S+: error: (?:unrecognized arguments|the following arguments are required|argument |invalid choice).*/,
  /^(?:\S+: )?(?:unknown|unrecognized|illegal|invalid) (?:option|argument|command)\b.*/i,
  /^ERROR: (?:file or directory not found|not found|usage|Could not (?:find|open)|No matching distribution).*/,
  /^E: (?:Unable to locate package|Package .* has no installation candidate).*/,
  /^Sorry: (?:IndentationError|SyntaxError|TabError).*/,
  /^npm (?:ERR!|error) (?:Missing script|code E404|could not determine executable).*/,
];
const USAGE = /^usage: .*/i;
/** What a type checker, a linter or a compiler finds in a file is its answer. */
const DIAGNOSTIC = /^\S+?:\d+(?::\d+)?: (?:fatal error|error|warning|note):/;
/** A shell that is given its command line in quotes. */
const QUOTED = /^(?:\S*\/)?(?:ba|da|z|k)?sh\s+(?:-\w+\s+)*-\w*c\s+(['"]?)([\s\S]*)\1\s*$/;
const NO_TESTS = /^=+ no tests ran\b.*/;

/** Errors of Python that are mistakes of the script or its surroundings, wherever they arise. */
const MISTAKES =
  /^(?:ModuleNotFoundError|ImportError|SyntaxError|IndentationError|TabError|NameError|UnboundLocalError)\b.*/;
/** Errors that are mistakes only where the agent's own script makes them. */
const OWN_MISTAKES =
  /^(?:AttributeError|TypeError|KeyError|IndexError|ValueError|FileNotFoundError)\b.*/;
const PYTHON_ERROR = /^(?:[A-Za-z_][\w.]*(?:Error|Exception|Exit|Interrupt|Warning))(?::.*|)$/;
/** A script whose name says that it is there to fail. */
const REPRODUCTION = /repro|issue|bug|fail|crash/i;
/** Programs that show a text and do not judge it. */
const VIEWER =
  /(?:^|[|;&]\s*)(?:cat|head|tail|less|sed -n|nl|grep|rg|git (?:diff|show|log|grep)|diff|find)\b/;

/**
 * The line that says that a command went wrong in a way that its author has to mend: it is not
 * known, misused, misspelt, or its files or modules are missing. That a search found nothing, that
 * two files differ, that a test or a reproduction fails is an answer, whatever the exit code.
 *
 * @returns undefined for an answer.
 */
export function findShellError({ command, output, failed }: ShellResult): string | undefined {
  const lines = linesToSearch(output).filter((line) => !DIAGNOSTIC.test(line));
  const isLong = lines.length > MOST_LINES_OF_COMPLAINT;
  const last = lines.at(-1) ?? '';
  for (const line of lines) {
    if (failed !== true && (isLong || VIEWER.test(firstCommand(command)))) {
      if (!isCertain(line)) continue;
    }
    if (REFUSALS.some((pattern) => pattern.test(line))) return cut(line);
    if (failed === true && USAGE.test(line)) return cut(line);
  }
  if (isTestRun(command)) {
    if (NO_TESTS.test(last)) return cut(last);
    return cutIf(
      lines.find((line) => /^E {3,}(?:ModuleNotFoundError|ImportError|SyntaxError)/.test(line)),
    );
  }
  return findOwnMistake(command, lines, failed);
}

/** A traceback that ended the agent's script, by an error that is the script's and not its answer. */
function findOwnMistake(
  command: string,
  lines: readonly string[],
  failed: boolean | undefined,
): string | undefined {
  const error = lines.findLast((line) => PYTHON_ERROR.test(line));
  if (error === undefined) return undefined;
  const at = lines.lastIndexOf(error);
  const frames = lines.slice(0, at).filter((line) => /^\s+File "/.test(line));
  const frame = /File "([^"]+)"/.exec(frames.at(-1) ?? '')?.[1];
  if (frame === undefined) return undefined;
  // A script that caught the error and printed it went on, or ended well.
  const isEnd = at === lines.length - 1;
  if (failed !== true && !(isEnd && command.includes('|'))) return undefined;
  if (MISTAKES.test(error)) return cut(error);
  if (!OWN_MISTAKES.test(error)) return undefined;
  const script = frame.split(/[\\/]/).at(-1) ?? frame;
  const isOwn = !frame.startsWith('<') && command.includes(script) && !/-packages[\\/]/.test(frame);
  return isOwn && !REPRODUCTION.test(script) ? cut(error) : undefined;
}

/** Refusals that no file or listing would have on a line of its own. */
function isCertain(line: string): boolean {
  return (
    /^(?:\S*\/)?(?:ba|da|z|k)?sh: (?:(?:line )?\d+: )?\S+: (?:command )?not found$/.test(line) ||
    /^(?:\S*\/)?python[\d.]*: (?:No module named|can't open file) /.test(line)
  );
}

function isTestRun(command: string): boolean {
  return /\b(?:py\.?test|unittest|tox|nose\w*|jest|vitest|mocha|go test|cargo test)\b/.test(
    command,
  );
}

/** What a command line begins with, out of its quotes and past a change of folder. */
function firstCommand(command: string): string {
  const line = command.trim();
  const own = QUOTED.exec(line)?.[2] ?? line;
  return own.replace(/^cd \S+\s*(?:&&|;)\s*/, '');
}

function linesToSearch(output: string): string[] {
  const text =
    output.length <= 2 * SEARCHED_CHARACTERS
      ? output
      : `${output.slice(0, SEARCHED_CHARACTERS)}\n${output.slice(-SEARCHED_CHARACTERS)}`;
  return text.split('\n').flatMap((line) => {
    const trimmed = line.slice(0, SEARCHED_OF_LINE).trimEnd();
    return trimmed.trim() === '' || /^<\/?(?:output|returncode|warning)/.test(trimmed)
      ? []
      : [trimmed];
  });
}

function cut(line: string): string {
  const text = line.trim();
  return text.length <= MOST_SIGN_CHARACTERS ? text : `${text.slice(0, MOST_SIGN_CHARACTERS - 1)}…`;
}

function cutIf(line: string | undefined): string | undefined {
  return line === undefined ? undefined : cut(line);
}
