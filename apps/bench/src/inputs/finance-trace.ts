import type { ReasoningTrace } from '@knowledgepulse/sdk';

/** The finance example of the documentation: five steps, 0.724 while nothing is remembered. */
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

/** The finance example, its steps repeated to the given number. */
export function longTrace(steps: number): ReasoningTrace {
  return {
    ...financeTrace,
    id: `kp:trace:finance-${steps}-steps`,
    steps: Array.from({ length: steps }, (_, index) => {
      const step = financeTrace.steps[index % financeTrace.steps.length];
      if (step === undefined) throw new RangeError('steps: expected an example, received none');
      return { ...step, step_id: index };
    }),
  };
}
