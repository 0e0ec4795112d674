import { wordsOf } from '@kp/foundation';
import { type ReasoningTraceStep, readStepSource } from '@kp/schema';

/** A text replaced in a file. */
export interface TextEdit {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

// Names of fields in the inputs of the editors that agents have.
const PATH = ['file_path', 'path', 'file', 'filename', 'target_file', 'notebook_path'];
const BEFORE = ['old_string', 'old_str', 'old_text', 'old', 'search'];
const AFTER = ['new_string', 'new_str', 'new_text', 'new', 'replace'];
const WHOLE = ['content', 'contents', 'file_text', 'text', 'new_source'];

/** Words in the names of tools that change something: files, records, bookings. */
const CHANGING_WORDS = new Set(
  `add append apply book cancel commit create delete edit exchange insert modify move patch post
publish put remove rename replace return save send set transfer update upload write`.split(/\s+/),
);

/** Commands that change files, and output that is written to one. */
const CHANGING_COMMAND =
  /(?:^|[;&|(]\s*)(?:sudo\s+)?(?:sed\s+(?:-\w+\s+)*-i|tee|mv|cp|rm|mkdir|touch|patch|git\s+(?:add|am|apply|checkout|cherry-pick|commit|merge|mv|reset|restore|revert|rm|stash))\b|(?<![\d&<>=-])>{1,2}\s*(?![\s=&]|\/dev\/)/;

const CHECKING_COMMAND =
  /\b(?:pytest|unittest|tox|nox|jest|vitest|mocha|ctest|rspec|phpunit)\b|\b(?:npm|pnpm|yarn|bun|go|cargo|make|mvn|gradle|dotnet|mix|deno|swift)\s+(?:run\s+)?(?:test|check)\b/;

/** The command of a call that runs one. */
export function commandOf({ input }: ReasoningTraceStep): string | undefined {
  return textField(input, ['command', 'cmd', 'script', 'code']);
}

/** The file that a call names. */
export function pathOf({ input }: ReasoningTraceStep): string | undefined {
  return textField(input, PATH);
}

/** What a call does, for telling whether a later one does the same: the tool, and its program. */
export function actionOf(step: ReasoningTraceStep): string {
  const program = /^\s*(?:sudo\s+)?(\S+)/.exec(commandOf(step) ?? '')?.[1] ?? '';
  return `${step.tool?.name ?? ''} ${program}`;
}

/** The text that a call replaces in a file, if that is what it does. */
export function textEditOf(step: ReasoningTraceStep): TextEdit | undefined {
  const before = textField(step.input, BEFORE);
  if (before === undefined) return undefined;
  const path = pathOf(step);
  const after = textField(step.input, AFTER);
  return path === undefined || after === undefined ? undefined : { path, before, after };
}

/** Whether a call changes something, as far as its tool and its input say. */
export function isChange(step: ReasoningTraceStep): boolean {
  if (step.type !== 'tool_call' || step.tool === undefined) return false;
  const command = commandOf(step);
  // Editors with several commands: `view` reads, `str_replace` writes.
  if (command === 'view') return false;
  if (textEditOf(step) !== undefined) return true;
  if (pathOf(step) !== undefined && textField(step.input, WHOLE) !== undefined) return true;
  if (isChangingName(step.tool.name)) return true;
  if (command === undefined) return false;
  // Quoted text is another language, where > is no redirection.
  return CHANGING_COMMAND.test(command.replaceAll(/'[^']*'|"[^"]*"/g, '""'));
}

/** Answers for the names of tools so far: runs use the same few tools again and again. */
const changingNames = new Map<string, boolean>();
const MOST_NAMES = 1000;

function isChangingName(name: string): boolean {
  const known = changingNames.get(name);
  if (known !== undefined) return known;
  const words = wordsOf(name).split(/[^\p{L}]+/u);
  const isChanging = words.some((word) => CHANGING_WORDS.has(word));
  if (changingNames.size >= MOST_NAMES) changingNames.clear();
  changingNames.set(name, isChanging);
  return isChanging;
}

/** Whether a call runs tests. */
export function isCheck(step: ReasoningTraceStep): boolean {
  return step.type === 'tool_call' && CHECKING_COMMAND.test(commandOf(step) ?? '');
}

/** Whether a step is the result of a tool, not what somebody said. */
export function isResult(step: ReasoningTraceStep): boolean {
  return step.type === 'observation' && readStepSource(step)?.role === undefined;
}

/** Whether a step reports an error of the agent. */
export function isError(step: ReasoningTraceStep): boolean {
  return step.type === 'observation' && readStepSource(step)?.error !== undefined;
}

function textField(input: unknown, names: readonly string[]): string | undefined {
  if (typeof input !== 'object' || input === null) return undefined;
  for (const name of names) {
    const value: unknown = Object.hasOwn(input, name) ? Reflect.get(input, name) : undefined;
    if (typeof value === 'string') return value;
  }
  return undefined;
}
