import { describeShapes, Lines } from '../../../test/shapes.ts';

const at = '2026-01-02T03:04:05.000Z';
const managed = (type: string, fields: object = {}): object => ({ type, ...fields });
const text = (words: string): object[] => [{ type: 'text', text: words }];

describeShapes('claude-managed-agents', [
  [
    'a list with failed, interrupted, hidden and repeated events',
    {
      data: [
        managed('user.message', { content: text('Go.'), processed_at: at }),
        managed('agent.thinking', { id: 'e1', thinking: 'Thought.' }),
        managed('agent.thinking', { id: 'e2' }),
        managed('agent.mcp_tool_use', { id: 'c1', name: 'f', input: { a: 1 } }),
        managed('agent.mcp_tool_use', { id: 'c1', name: 'f', input: { a: 1 } }),
        managed('agent.mcp_tool_result', {
          mcp_tool_use_id: 'c1',
          content: text('no'),
          is_error: true,
        }),
        managed('agent.tool_use', { id: 'c2', name: 'g', input: {} }),
        managed('agent.tool_result', { tool_use_id: 'c2', content: text('yes') }),
        managed('user.interrupt'),
        managed('session.error'),
      ],
    },
    [
      'asked Go.',
      'thought Thought.',
      'tool_call f {"a":1}',
      'observation no',
      'error_recovery g {}',
      'observation yes',
      'observation [interrupted by the user]',
      'recorded at 2026-01-02T03:04:05.000Z',
      'recorded false',
      'framework claude-managed-agents',
      'result Interrupted by the user.',
      'source {}',
      'verdict session.error',
      'ending interrupted',
      'omitted {"redacted_thinking":1,"session.error":1}',
      'step 1: c1',
      'step 2: c1, flag',
      'step 3: c2',
      'step 4: c2',
      'step 5: user, interrupted',
    ],
  ],
  [
    'client calls of two sessions with their requests and answers',
    new Lines(
      [
        'client.beta.sessions.create',
        {
          id: 's1',
          created_at: at,
          agent: { name: 'Weather', model: { id: 'claude' } },
        },
      ],
      [
        'client.beta.sessions.events.send',
        ['s1', { events: [managed('user.message', { content: text('Go.') }), { type: 'x' }] }],
      ],
      [
        'client.beta.sessions.events.stream',
        managed('user.message', { id: 'u1', content: text('Go.') }),
      ],
      [
        'client.beta.sessions.events.stream',
        managed('agent.message', { id: 'a1', content: text('Gone.') }),
      ],
      ['client.beta.sessions.create', { id: 's2', agent: { model: 'claude-2' } }],
      [
        'client.beta.sessions.events.send',
        ['s2', { events: [managed('user.message', { content: text('Second.') })] }],
      ],
      [
        'client.beta.sessions.events.stream',
        managed('agent.message', { id: 'a2', content: text('Answered.') }),
      ],
      [
        'client.beta.sessions.events.stream',
        managed('session.error', { id: 'x', error: { type: 'overloaded' } }),
      ],
      ['client.beta.sessions.events.send', ['s2', 'nothing']],
    ),
    [
      'asked Go.',
      'thought Gone.',
      'recorded at 2026-01-02T03:04:05.000Z',
      'agent Weather',
      'framework claude-managed-agents',
      'source {"session_id":"s1"}',
      'model claude',
      'asked Second.',
      'thought Answered.',
      'recorded false',
      'framework claude-managed-agents',
      'source {"session_id":"s2"}',
      'verdict session.error',
      'model claude-2',
      'omitted {"session.error":1}',
    ],
  ],
  [
    'errors after which the agent continues, or ends its turn',
    {
      data: [
        managed('user.message', { content: text('Go.') }),
        managed('session.error', { error: { type: 'overloaded' } }),
        managed('agent.message', { content: text('Gone.') }),
        managed('session.error', { error: { type: 'overloaded' } }),
        managed('session.status_idle', { stop_reason: { type: 'end_turn' } }),
      ],
    },
    [
      'asked Go.',
      'thought Gone.',
      'framework claude-managed-agents',
      'source {}',
      'omitted {"session.error":2,"session.status_idle":1}',
    ],
  ],
  [
    'an error after which only a result and the idle state follow',
    {
      data: [
        managed('user.message', { content: text('Go.') }),
        managed('agent.tool_use', { id: 'c1', name: 'f', input: {} }),
        managed('session.error', { error: { type: 'overloaded' } }),
        managed('agent.tool_result', { tool_use_id: 'c1', content: text('yes') }),
        managed('session.status_idle', { stop_reason: { type: 'retries_exhausted' } }),
      ],
    },
    [
      'asked Go.',
      'tool_call f {}',
      'observation yes',
      'recorded false',
      'framework claude-managed-agents',
      'source {}',
      'verdict session.error',
      'omitted {"session.error":1,"session.status_idle":1}',
      'step 0: c1',
      'step 1: c1',
    ],
  ],
]);
