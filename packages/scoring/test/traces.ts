import type { ReasoningTrace, ReasoningTraceStep } from '@kp/schema';

/** The finance example of the documentation, which scores 0.724 with a novelty of 0.5. */
export const financeTrace: ReasoningTrace = {
  '@context': 'https://openknowledgepulse.org/schema/v1',
  '@type': 'ReasoningTrace',
  id: 'kp:trace:finance-demo-001',
  metadata: {
    created_at: '2026-01-15T10:00:00.000Z',
    task_domain: 'finance',
    success: true,
    quality_score: 0,
    visibility: 'network',
    privacy_level: 'aggregated',
  },
  task: { objective: 'Analyze TSMC Q4 earnings report' },
  steps: [
    { step_id: 0, type: 'thought', content: 'Extracting revenue and margin data' },
    {
      step_id: 1,
      type: 'tool_call',
      tool: { name: 'financial_data_api' },
      input: { ticker: 'TSM' },
    },
    { step_id: 2, type: 'observation', content: 'Revenue: $26.3B, up 14.3% YoY' },
    {
      step_id: 3,
      type: 'tool_call',
      tool: { name: 'comparison_tool' },
      input: { metric: 'gross_margin' },
    },
    { step_id: 4, type: 'observation', content: 'Gross margin 57.9%, above industry average' },
  ],
  outcome: { result_summary: 'Strong quarterly performance', confidence: 0.92 },
};

export interface TraceChanges {
  readonly id?: string;
  readonly domain?: string;
  readonly success?: boolean;
  readonly confidence?: number;
  readonly objective?: string;
  readonly steps?: ReasoningTraceStep[];
}

/** The finance example with some changes. */
export function traceWith(changes: TraceChanges): ReasoningTrace {
  const { metadata, outcome } = financeTrace;
  return {
    ...financeTrace,
    id: changes.id ?? financeTrace.id,
    metadata: {
      ...metadata,
      task_domain: changes.domain ?? metadata.task_domain,
      success: changes.success ?? metadata.success,
    },
    task: { objective: changes.objective ?? financeTrace.task.objective },
    steps: changes.steps ?? financeTrace.steps,
    outcome: { ...outcome, confidence: changes.confidence ?? outcome.confidence },
  };
}

/** Creates steps of the given types; a tool's name follows a colon: `tool_call:grep`. */
export function stepsOf(...kinds: string[]): ReasoningTraceStep[] {
  return kinds.map((kind, step_id) => {
    const [type, tool] = kind.split(':') as [ReasoningTraceStep['type'], string | undefined];
    return tool === undefined ? { step_id, type } : { step_id, type, tool: { name: tool } };
  });
}
