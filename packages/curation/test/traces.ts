import type { ReasoningTrace } from '@kp/schema';

/** A valid trace; each step is a thought unless it says otherwise. */
export function traceOf(objective: string, steps: readonly object[] = []): ReasoningTrace {
  return {
    '@context': 'https://openknowledgepulse.org/schema/v1',
    '@type': 'ReasoningTrace',
    id: `kp:trace:${objective}`,
    metadata: {
      created_at: '2026-01-15T10:00:00Z',
      task_domain: 'default',
      success: true,
      quality_score: 0,
      visibility: 'private',
      privacy_level: 'private',
    },
    task: { objective },
    steps: steps.map((step, step_id) => ({ step_id, type: 'thought', ...step })),
    outcome: { result_summary: '', confidence: 0.5 },
  } as ReasoningTrace;
}
