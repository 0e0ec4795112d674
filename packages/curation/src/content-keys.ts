import type { ReasoningTrace } from '@kp/schema';

/**
 * The content key of a trace: SHA-256 over what the run was asked, did and came to, as hexadecimal
 * digits. Ids, times, scores and what importers note do not count, so that equal keys are copies.
 *
 * @param trace - a valid trace.
 */
export async function contentKey(trace: ReasoningTrace): Promise<string> {
  const { task, steps, outcome } = trace;
  const content = [
    task.objective,
    outcome.result_summary,
    steps.map(({ type, content: text, tool, input, output_summary }) => [
      type,
      text ?? null,
      tool?.name ?? null,
      input ?? null,
      output_summary ?? null,
    ]),
  ];
  const bytes = new TextEncoder().encode(JSON.stringify(content));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
