import { diffArrays } from 'diff';
import type { RunTranscript } from '../../transcript/transcript.ts';

/** One side of a comparison: the steps of a run, with texts where they are there. */
export interface ComparedRun {
  /** A letter a step, as in the data. */
  readonly kinds: string;
  /** The name of the tool of each step. */
  readonly tools: readonly (string | undefined)[];
  readonly transcript: RunTranscript | undefined;
}

/** A call of a tool with what was thought before it and what came back, or words without a call. */
export interface Turn {
  /** Steps from 0, in order. */
  readonly steps: readonly number[];
  /** The tool that is called; undefined for words. */
  readonly tool: string | undefined;
  /** What the tool is given, as text. */
  readonly input: string;
  /** What was said and what came back, as text. */
  readonly words: string;
}

/** How the two sides of a row differ. */
export type RowKind = 'same' | 'words' | 'result' | 'input' | 'onlyLeft' | 'onlyRight';

/** Turns that stand beside each other. */
export interface AlignedRow {
  readonly left: Turn | undefined;
  readonly right: Turn | undefined;
  readonly kind: RowKind;
}

/**
 * Puts the steps of two runs beside each other: first calls of one tool with the same input, between
 * these calls of one tool.
 */
export function alignRuns(left: ComparedRun, right: ComparedRun): AlignedRow[] {
  const [ours, theirs] = [turnsOf(left), turnsOf(right)];
  return inBlocks(ours, theirs, isSameCall).flatMap(([a, b, isSame]) =>
    isSame
      ? pair(a, b)
      : inBlocks(a, b, isSameTool).flatMap(([c, d, isPaired]) =>
          isPaired ? pair(c, d) : apart(c, d),
        ),
  );
}

/** The row where the two runs first do something else; −1 where they never do. */
export function partingRow(rows: readonly AlignedRow[]): number {
  return rows.findIndex(({ kind, left, right }) => {
    if (kind === 'input') return true;
    const isAlone = kind === 'onlyLeft' || kind === 'onlyRight';
    return isAlone && (left ?? right)?.tool !== undefined;
  });
}

/** Groups the steps of a run: each call with the words before it and its results. */
export function turnsOf({ kinds, tools, transcript }: ComparedRun): Turn[] {
  const turns: Turn[] = [];
  let steps: number[] = [];
  let called: number | undefined;
  let isAnswered = false;
  const finish = (): void => {
    if (steps.length > 0) turns.push(turnOf(steps, called, tools, transcript));
    steps = [];
    called = undefined;
    isAnswered = false;
  };
  for (const [step, kind] of [...kinds].entries()) {
    const isCall = tools[step] !== undefined;
    const isResult = kind === 'o' && !isCall && transcript?.steps[step]?.role === undefined;
    // A turn ends before the next words or the next call, but not before its own result.
    if (
      isCall
        ? called !== undefined || isAnswered
        : !isResult && (called !== undefined || isAnswered)
    )
      finish();
    // Words of the user end a turn without a call.
    if (!isCall && !isResult && kind === 'o' && steps.length > 0) finish();
    steps.push(step);
    if (isCall) called = step;
    if (isResult) isAnswered = true;
  }
  finish();
  return turns;
}

function turnOf(
  steps: readonly number[],
  called: number | undefined,
  tools: ComparedRun['tools'],
  transcript: RunTranscript | undefined,
): Turn {
  const texts = steps.map((step) => transcript?.steps[step]);
  return {
    steps,
    tool: called === undefined ? undefined : tools[called],
    input: called === undefined ? '' : JSON.stringify(transcript?.steps[called]?.input ?? []),
    words: texts.map((each) => each?.text ?? '').join('\n'),
  };
}

type Block = readonly [left: readonly Turn[], right: readonly Turn[], isSame: boolean];

/** Divides two lists where they agree and where they do not. */
function inBlocks(
  left: readonly Turn[],
  right: readonly Turn[],
  comparator: (a: Turn, b: Turn) => boolean,
): Block[] {
  const blocks: Block[] = [];
  let [a, b] = [0, 0];
  let [from, to] = [0, 0];
  const flush = (): void => {
    if (a > from || b > to) blocks.push([left.slice(from, a), right.slice(to, b), false]);
  };
  for (const { added, removed, count = 0 } of diffArrays([...left], [...right], { comparator })) {
    if (removed) a += count;
    else if (added) b += count;
    else {
      flush();
      blocks.push([left.slice(a, a + count), right.slice(b, b + count), true]);
      a += count;
      b += count;
      [from, to] = [a, b];
    }
  }
  flush();
  return blocks;
}

function pair(left: readonly Turn[], right: readonly Turn[]): AlignedRow[] {
  return left.map((turn, place) => {
    const other = right[place] as Turn;
    return { left: turn, right: other, kind: kindOf(turn, other) };
  });
}

function apart(left: readonly Turn[], right: readonly Turn[]): AlignedRow[] {
  return [
    ...left.map((turn): AlignedRow => ({ left: turn, right: undefined, kind: 'onlyLeft' })),
    ...right.map((turn): AlignedRow => ({ left: undefined, right: turn, kind: 'onlyRight' })),
  ];
}

function kindOf(a: Turn, b: Turn): RowKind {
  if (a.input !== b.input) return 'input';
  if (a.words === b.words) return 'same';
  return a.tool === undefined ? 'words' : 'result';
}

function isSameTool(a: Turn, b: Turn): boolean {
  return a.tool === b.tool;
}

function isSameCall(a: Turn, b: Turn): boolean {
  if (a.tool === undefined) return b.tool === undefined && a.words === b.words;
  return a.tool === b.tool && a.input === b.input;
}
