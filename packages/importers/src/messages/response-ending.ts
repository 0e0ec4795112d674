import type { RecordedRun } from '../importer/importer.ts';
import { isJsonObject, type JsonObject } from '../json/json-value.ts';

/**
 * Reads how a response of the Responses API ended from its state; Gemini's Interactions API has the same
 * states. An incomplete answer reached a limit on tokens, unless a filter stopped it.
 *
 * @returns no fields if the response completed, or does not say how it ended.
 */
export function readResponseEnding({
  status,
  error,
  incomplete_details,
}: JsonObject): Pick<RecordedRun, 'ending' | 'verdicts'> {
  if (status === 'failed') {
    const isStated = isJsonObject(error);
    const [path, value] = isStated ? (['error', error] as const) : (['status', status] as const);
    return { verdicts: [{ path, value, rank: 'crash' }] };
  }
  if (status === 'cancelled') return { ending: 'interrupted' };
  if (status === 'queued' || status === 'in_progress') return { ending: 'unfinished' };
  if (status !== 'incomplete') return {};
  const reason = isJsonObject(incomplete_details) ? incomplete_details.reason : undefined;
  return { ending: reason === 'content_filter' ? 'error' : 'limit' };
}
