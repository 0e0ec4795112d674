import type { ReasoningTrace } from '@knowledgepulse/sdk';
import { findWaste } from '@kp/curation';
import type { Field } from './run-fields.ts';

/** How much of a run was a loop or a waste; see `findWaste` for the steps. */
export interface WasteCounts {
  /** Calls of one tool with the same input that were made three times or more. */
  readonly loops: number;
  /** Calls, and results of tools, that repeat an earlier one. */
  readonly repeatedCalls: number;
  readonly repeatedResults: number;
  /** Edits that a later step undid. */
  readonly revertedEdits: number;
  /** Errors after which no call of the same tool succeeded. */
  readonly unresolvedErrors: number;
  /** Calls after the last one that changed something. */
  readonly callsAfterLastChange: number;
}

/** Of a run without steps. */
export const NO_WASTE: WasteCounts = {
  loops: 0,
  repeatedCalls: 0,
  repeatedResults: 0,
  revertedEdits: 0,
  unresolvedErrors: 0,
  callsAfterLastChange: 0,
};

/** @param trace - a valid trace. */
export function wasteCounts(trace: ReasoningTrace): WasteCounts {
  const waste = findWaste(trace);
  const repeats = (groups: readonly (readonly number[])[]): number =>
    groups.reduce((sum, { length }) => sum + length - 1, 0);
  return {
    loops: waste.loops.length,
    repeatedCalls: repeats(waste.repeatedCalls),
    repeatedResults: repeats(waste.repeatedResults),
    revertedEdits: waste.revertedEdits.length,
    unresolvedErrors: waste.unresolvedErrors.length,
    callsAfterLastChange: waste.callsAfterLastChange.length,
  };
}

/** Names for CSV and `--where`. */
export const WASTE_FIELDS: readonly Field<WasteCounts>[] = [
  { name: 'loops', kind: 'number', value: ({ loops }) => loops },
  { name: 'repeated_calls', kind: 'number', value: ({ repeatedCalls }) => repeatedCalls },
  { name: 'repeated_results', kind: 'number', value: ({ repeatedResults }) => repeatedResults },
  { name: 'reverted_edits', kind: 'number', value: ({ revertedEdits }) => revertedEdits },
  { name: 'unresolved_errors', kind: 'number', value: ({ unresolvedErrors }) => unresolvedErrors },
  {
    name: 'calls_after_last_change',
    kind: 'number',
    value: ({ callsAfterLastChange }) => callsAfterLastChange,
  },
];
