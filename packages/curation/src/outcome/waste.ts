import { type ReasoningTrace, type ReasoningTraceStep, readStepSource } from '@kp/schema';
import { toText } from '../corpus/content-keys.ts';
import { groupBy } from '../corpus/key-order.ts';
import {
  actionOf,
  commandOf,
  isChange,
  isError,
  isResult,
  pathOf,
  type TextEdit,
  textEditOf,
} from './step-kinds.ts';

/** Steps that are the same, two or more, by their `step_id`, in order. */
export type SameSteps = readonly number[];

/** Loops and waste in a run: facts with the numbers of steps, not a judgement of the run. */
export interface TraceWaste {
  /** Calls of one tool with the same input. */
  readonly repeatedCalls: readonly SameSteps[];
  /** Results of tools with the same text; results without words do not count. */
  readonly repeatedResults: readonly SameSteps[];
  /** Those of the repeated calls that were made three times or more. */
  readonly loops: readonly SameSteps[];
  /** Edits of files that a later step undid. */
  readonly revertedEdits: readonly { readonly edit: number; readonly revertedBy: number }[];
  /** Errors after which no call of the same tool, or of the same program in a shell, succeeded. */
  readonly unresolvedErrors: readonly number[];
  /** The last call that changed something: a file, a record, a booking. */
  readonly lastChange?: number;
  /** The calls after it, each of which changed nothing; empty if nothing was changed at all. */
  readonly callsAfterLastChange: readonly number[];
}

/** How often the same call makes a loop. */
const LOOP = 3;
/** Undoes all edits that are not committed, or those of the files that it names. */
const GIT_UNDO =
  /\bgit\s+(?:checkout\s+(?:-f\b|\.|(?:[\w./~^-]+\s+)?--\s)|restore(?!\s+--staged)|stash(?!\s+(?:pop|apply|list|show|drop))|reset\s+--hard)(.*)/;

/**
 * Loops and waste in a trace. What a call does is read from the name of its tool and its input; tools
 * that say neither are not seen.
 *
 * @param trace - a valid trace.
 */
export function findWaste({ steps }: ReasoningTrace): TraceWaste {
  const repeatedCalls = findRepeatedCalls(steps).map(numbersOf);
  const results = repeatsBy(steps.filter(isResult), ({ content = '' }) => content.trim());
  const change = steps.findLastIndex(isChange);
  const after = change === -1 ? steps.length : change + 1;
  return {
    repeatedCalls,
    repeatedResults: results.filter(([first]) => hasWords(first?.content ?? '')).map(numbersOf),
    loops: repeatedCalls.filter(({ length }) => length >= LOOP),
    revertedEdits: findRevertedEdits(steps),
    unresolvedErrors: findUnresolvedErrors(steps),
    lastChange: steps[change]?.step_id,
    callsAfterLastChange: steps
      .slice(after)
      .filter(({ type }) => type === 'tool_call')
      .map(({ step_id }) => step_id),
  };
}

/** Whether a result says anything: not if it is empty, a number or an exit code in markup. */
function hasWords(text: string): boolean {
  for (const [found] of text.matchAll(MARKUP_OR_WORD)) if (!found.startsWith('<')) return true;
  return false;
}

const MARKUP_OR_WORD = /<[^<>]*>|\p{L}{2}/gu;

function findRepeatedCalls(steps: readonly ReasoningTraceStep[]): ReasoningTraceStep[][] {
  const calls = steps.filter(({ type, tool }) => type === 'tool_call' && tool !== undefined);
  // Inputs as text take long, sorted ones longer; most calls differ in their tool or in their length.
  const ofSameTool = repeatsBy(calls, nameOf).flat();
  const alike = new Set(
    repeatsBy(ofSameTool, (call) => `${lengthOf(call)} ${nameOf(call)}`).flat(),
  );
  return repeatsBy(
    calls.filter((call) => alike.has(call)),
    ({ tool, input, content }) => toText([tool?.name, input, content], true),
  );
}

function nameOf({ tool }: ReasoningTraceStep): string {
  return tool?.name ?? '';
}

/** Length of the input and the content as JSON, in which the order of fields does not count. */
function lengthOf({ input, content = '' }: ReasoningTraceStep): number {
  try {
    return (JSON.stringify(input)?.length ?? 0) + content.length;
  } catch {
    // Such as a bigint, which is only compared in full.
    return -1;
  }
}

/** Steps with the same content, two or more, in the order of their first. */
function repeatsBy(
  steps: readonly ReasoningTraceStep[],
  contentOf: (step: ReasoningTraceStep) => string,
): ReasoningTraceStep[][] {
  if (steps.length < 2) return [];
  return [...groupBy(steps, contentOf).values()].filter(({ length }) => length > 1);
}

function numbersOf(steps: readonly ReasoningTraceStep[]): number[] {
  return steps.map(({ step_id }) => step_id);
}

function findRevertedEdits(
  steps: readonly ReasoningTraceStep[],
): { edit: number; revertedBy: number }[] {
  const reverted: { edit: number; revertedBy: number }[] = [];
  let standing: { readonly edit: TextEdit; readonly step: number }[] = [];
  for (const step of steps) {
    if (step.type !== 'tool_call') continue;
    const edit = textEditOf(step);
    if (standing.length === 0) {
      if (edit !== undefined) standing.push({ edit, step: step.step_id });
      continue;
    }
    const undone = standing.filter(({ edit: earlier }) => isUndoneBy(earlier, step));
    // An editor's undo takes back the last edit only.
    const isUndo = commandOf(step) === 'undo_edit';
    for (const { step: earlier } of isUndo ? undone.slice(-1) : undone) {
      reverted.push({ edit: earlier, revertedBy: step.step_id });
      standing = standing.filter(({ step: other }) => other !== earlier);
    }
    if (edit !== undefined && undone.length === 0) standing.push({ edit, step: step.step_id });
  }
  return reverted;
}

function isUndoneBy(edit: TextEdit, step: ReasoningTraceStep): boolean {
  const later = textEditOf(step);
  if (later !== undefined) {
    return later.path === edit.path && later.before === edit.after && later.after === edit.before;
  }
  const command = commandOf(step) ?? '';
  if (command === 'undo_edit') return pathOf(step) === edit.path;
  const named = GIT_UNDO.exec(command)?.[1];
  if (named === undefined) return false;
  const name = edit.path.split('/').at(-1) ?? '';
  return !/\.\w/.test(named) || named.includes(name);
}

function findUnresolvedErrors(steps: readonly ReasoningTraceStep[]): number[] {
  if (!steps.some(isError)) return [];
  const calls = new Map<string, ReasoningTraceStep>();
  const open = new Map<string, number[]>();
  let last: ReasoningTraceStep | undefined;
  for (const step of steps) {
    if (step.type === 'tool_call') {
      last = step;
      const id = readStepSource(step)?.call_id;
      if (id !== undefined) calls.set(id, step);
    }
    if (!isResult(step)) continue;
    const call = calls.get(readStepSource(step)?.call_id ?? '') ?? last;
    const action = call === undefined ? '' : actionOf(call);
    const errors = open.get(action);
    if (!isError(step)) open.delete(action);
    else if (errors === undefined) open.set(action, [step.step_id]);
    else errors.push(step.step_id);
  }
  return [...open.values()].flat().sort((a, b) => a - b);
}
