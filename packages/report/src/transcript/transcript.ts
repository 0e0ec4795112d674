/** What was said and done in a run, as the page shows it. Plain JSON. */
export interface RunTranscript {
  /** What the run was to do. */
  readonly objective: string;
  /** What came of it, in the recording's words; empty where it says nothing. */
  readonly result: string;
  /** One a step, in order. */
  readonly steps: readonly TranscriptStep[];
}

/** The texts of one step. */
export interface TranscriptStep {
  /** What was thought, said or answered. */
  readonly text?: string;
  /** What a tool was given: the name of each field and its value, formatted JSON or text. */
  readonly input?: readonly (readonly [name: string, value: string])[];
  /** In milliseconds. */
  readonly ms?: number;
  /** Who said it, where it is not the result of a tool: `user`, `system` … */
  readonly role?: string;
  /** A thought that the model did not say. */
  readonly thinking?: true;
  /** The user refused the call, or stopped the agent. */
  readonly feedback?: string;
  /** Images that the recording has here. */
  readonly images?: number;
  /** Characters that are not shown. */
  readonly cut?: number;
}

/** The parts of a transcript that are searched and shown: the objective, then step by step. */
export interface TextPart {
  /** From 0; −1 for the objective, −2 for the result. */
  readonly step: number;
  /** `text`, `tool`, or the place of a field of the input. */
  readonly part: 'text' | 'tool' | number;
  readonly text: string;
}

export const OBJECTIVE = -1;
export const RESULT = -2;

/**
 * Everything that can be searched in a run, in the order in which a reader meets it.
 *
 * @param tools - the name of the tool of each step, or undefined.
 */
export function* partsOf(
  { objective, result, steps }: RunTranscript,
  tools: readonly (string | undefined)[],
): Generator<TextPart> {
  yield { step: OBJECTIVE, part: 'text', text: objective };
  for (const [step, { text, input }] of steps.entries()) {
    const tool = tools[step];
    if (tool !== undefined) yield { step, part: 'tool', text: tool };
    for (const [part, [, value]] of (input ?? []).entries()) yield { step, part, text: value };
    if (text !== undefined) yield { step, part: 'text', text };
  }
  if (result !== '') yield { step: RESULT, part: 'text', text: result };
}
