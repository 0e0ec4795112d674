import { safeParseTrace } from '@knowledgepulse/sdk';
import { wrongUse } from '../../output/errors.ts';
import type { Where } from '../options/where.ts';
import { fieldsOf } from '../read-fields.ts';
import type { Run } from '../run.ts';

/** Flags of the evidence that a condition may ask for. */
interface EvidenceFlags {
  readonly corpus?: boolean;
  readonly outcomeModel?: string;
}

/** @throws UsageError for a condition on scores, in a command that computes none. */
export function refuseScoreCondition({ expression, needsScore }: Where): void {
  if (!needsScore) return;
  throw wrongUse(`--where ${expression}`, 'a condition on the recording', 'a condition on scores');
}

/** @throws UsageError for a condition on evidence that no option provides. */
export function checkEvidence({ expression, evidence }: Where, flags: EvidenceFlags): void {
  const demand = (isThere: boolean, expected: string): void => {
    if (!isThere) throw wrongUse(`--where ${expression}`, expected, 'none');
  };
  if (evidence.has('agreement')) demand(flags.corpus === true, 'kp score --corpus');
  if (evidence.has('estimate')) demand(flags.outcomeModel !== undefined, '--outcome-model');
}

/**
 * Whether a run matches. An invalid trace has no fields to check, so it is kept and rejected later
 * with the reason.
 */
export function keeps(where: Where, run: Run): boolean {
  const isValid = run.prepared !== undefined || safeParseTrace(run.trace).success;
  return !isValid || where.matches({ fields: fieldsOf(run) });
}
