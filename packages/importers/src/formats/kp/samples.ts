import type { ImporterSample } from '../../importer/importer.ts';

export const samples: readonly ImporterSample[] = [
  {
    name: 'a trace',
    text: JSON.stringify({
      '@context': 'https://openknowledgepulse.org/schema/v1',
      '@type': 'ReasoningTrace',
      id: 'kp:trace:refund-12',
      metadata: {
        created_at: '2026-01-02T03:04:05Z',
        task_domain: 'default',
        success: true,
        quality_score: 0,
        visibility: 'private',
        privacy_level: 'private',
      },
      task: { objective: 'Refund order 12.' },
      steps: [
        { step_id: 0, type: 'tool_call', tool: { name: 'refund' }, input: { order: 12 } },
        { step_id: 1, type: 'observation', content: 'Refunded.' },
      ],
      outcome: { result_summary: 'Refunded.', confidence: 0.9 },
      'kp:provenance': { format: 'kp', source: { order: 12 }, success: 'labelled' },
    }),
    outline: [
      'asked Refund order 12.',
      'tool_call refund {"order":12}',
      'observation Refunded.',
      'recorded at 2026-01-02T03:04:05Z',
      'labelled true',
      'domain default',
      'result Refunded.',
      'confidence 0.9',
      'source {"order":12}',
    ],
  },
];
