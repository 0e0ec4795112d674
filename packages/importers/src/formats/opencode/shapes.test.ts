import { describeShapes, Lines } from '../../../test/shapes.ts';

const part = (fields: Record<string, unknown>): object => ({
  type: fields.type,
  timestamp: 1767323045000,
  sessionID: 's1',
  part: fields,
});

describeShapes('opencode', [
  [
    'two interleaved sessions, errors, exit codes, and parts without an id or a kind',
    new Lines(
      part({ id: 'p0', type: 'text', text: 'Early' }),
      { ...part({ id: 'q0', type: 'text', text: 'Other.' }), sessionID: 's2' },
      part({ id: 'p0', type: 'text', text: 'Late.' }),
      part({
        type: 'tool',
        callID: 'c1',
        tool: 'bash',
        state: { status: 'completed', input: {}, output: 'x', metadata: { exit: 1 } },
      }),
      part({
        type: 'tool',
        callID: 'c2',
        tool: 'bash',
        state: { status: 'completed', input: {}, output: 'y', metadata: { exitCode: 0, exit: 1 } },
      }),
      part({ type: 'tool', callID: 'c3', tool: 'look', state: { status: 'error', error: 'no' } }),
      part({ type: 'tool', callID: 'c4', tool: 'wait', state: null }),
      part({ type: 'snapshot' }),
      part({ type: 'step-finish' }),
      part({}),
      { type: 'error', sessionID: 's1', error: { name: 'APIError' } },
    ),
    [
      'asked (no objective recorded)',
      'thought Late.',
      'tool_call bash {}',
      'observation x',
      'error_recovery bash {}',
      'observation y',
      'tool_call look',
      'observation no',
      'error_recovery wait',
      'recorded at 2026-01-02T03:04:05.000Z',
      'recorded false',
      'framework opencode',
      'source {"session_id":"s1"}',
      'verdict error',
      'omitted {"snapshot":1,"part":1}',
      'step 1: c1',
      'step 2: c1, exit_code',
      'step 3: c2',
      'step 4: c2',
      'step 5: c3',
      'step 6: c3, flag',
      'step 7: c4',
      'asked (no objective recorded)',
      'thought Other.',
      'recorded at 2026-01-02T03:04:05.000Z',
      'framework opencode',
      'source {"session_id":"s2"}',
    ],
  ],
  [
    'an export with program messages whose last message failed',
    {
      info: { title: 'none' },
      messages: [
        {
          info: { role: 'user' },
          parts: [
            { type: 'text', text: 'Go.' },
            { type: 'text', text: 'On.' },
            { type: 'text', text: 'hidden', synthetic: true },
            { type: 'file', text: 'file' },
          ],
        },
        { info: { role: 'assistant' }, parts: [{ type: 'text', text: 'Gone.' }] },
        { info: { role: 'assistant', error: { name: 'Aborted' } }, parts: [{ type: 'agent' }] },
      ],
    },
    [
      'asked Go.\nOn.',
      'thought Gone.',
      'recorded false',
      'framework opencode',
      'source {}',
      'verdict error',
      'omitted {"agent":1}',
    ],
  ],
  [
    'an export whose last message has no error',
    {
      info: { id: 's', time: {} },
      messages: [
        { info: { role: 'assistant', error: 'early' }, parts: [{ type: 'text', text: 'Gone.' }] },
        { info: { role: 'assistant', error: null }, parts: [] },
      ],
    },
    [
      'asked (no objective recorded)',
      'thought Gone.',
      'framework opencode',
      'source {"session_id":"s"}',
    ],
  ],
]);
