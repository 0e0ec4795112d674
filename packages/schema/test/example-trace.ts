/**
 * Returns a valid trace with every optional field; a new one per call, so that a test may change
 * it.
 */
export function exampleTrace(): Record<string, unknown> {
  return {
    '@context': 'https://openknowledgepulse.org/schema/v1',
    '@type': 'ReasoningTrace',
    id: 'kp:trace:example-1',
    source_skill: 'kp:skill:review:1.0.0',
    metadata: {
      created_at: '2026-01-15T10:00:00.000Z',
      task_domain: 'code',
      success: true,
      quality_score: 0.5,
      visibility: 'network',
      privacy_level: 'aggregated',
      agent_id: 'agent-7',
      framework: 'own',
      validated_by: ['reviewer'],
    },
    task: { objective: 'Find why the login test fails', input_schema: { type: 'object' } },
    steps: [
      { step_id: 0, type: 'thought', content: 'The clock is mocked', latency_ms: 12 },
      {
        step_id: 1,
        type: 'tool_call',
        tool: { name: 'grep', mcp_server: 'fs' },
        input: { q: 'now' },
      },
      { step_id: 2, type: 'observation', output_summary: 'three matches' },
      { step_id: 3, type: 'error_recovery', content: 'Search the fixtures instead' },
    ],
    outcome: { result_summary: 'A fixture pins the date', confidence: 0.9 },
    knowledge_graph_delta: {
      entities: [{ name: 'login.test.ts', type: 'file' }],
      relationships: [{ fact: 'the fixture pins the date', valid_from: '2026-01-15' }],
    },
  };
}
