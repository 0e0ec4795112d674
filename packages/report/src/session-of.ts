import { type ReasoningTrace, readProvenance, readRunDetails } from '@kp/schema';
import type { ReportSession } from './report-data.ts';
import { plainText } from './transcript/plain-text.ts';

/**
 * The session of a run that names its project; undefined for any other run.
 *
 * @param withTexts - whether the page shows texts, of which the title is one.
 */
export function sessionOf(
  trace: ReasoningTrace | undefined,
  withTexts: boolean,
): ReportSession | undefined {
  if (trace === undefined) return undefined;
  const { session, project, title } = readRunDetails(trace.metadata);
  if (project === undefined) return undefined;
  const provenance = readProvenance(trace);
  const isDated = provenance?.created_at !== 'unknown';
  return {
    id: session === undefined ? undefined : plainText(session),
    project: plainText(project),
    title: withTexts && title !== undefined ? plainText(title) : undefined,
    startedAt: isDated ? trace.metadata.created_at : undefined,
    isSubAgent: provenance?.parent !== undefined,
  };
}
