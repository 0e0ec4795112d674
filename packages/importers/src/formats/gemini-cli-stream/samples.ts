import type { ImporterSample } from '../../importer/importer.ts';

const timestamp = '2026-01-02T03:04:05.000Z';

export const samples: readonly ImporterSample[] = [
  {
    name: 'a run that recovers from an error',
    text: [
      { type: 'init', timestamp, session_id: 's1', model: 'gemini-3-pro' },
      { type: 'message', timestamp, role: 'user', content: 'Fix the loop.' },
      {
        type: 'tool_use',
        timestamp,
        tool_name: 'read_file',
        tool_id: 'c1',
        parameters: { file_path: 'a.py' },
      },
      {
        type: 'tool_result',
        timestamp,
        tool_id: 'c1',
        status: 'error',
        output: 'File not found.',
        error: { type: 'file_not_found', message: 'File not found: a.py' },
      },
      { type: 'message', timestamp, role: 'assistant', content: 'There is ', delta: true },
      { type: 'message', timestamp, role: 'assistant', content: 'no loop.', delta: true },
      {
        type: 'result',
        timestamp: '2026-01-02T03:04:06.000Z',
        status: 'success',
        stats: { total_tokens: 30, input_tokens: 20, output_tokens: 10, tool_calls: 1 },
      },
    ]
      .map((event) => JSON.stringify(event))
      .join('\n'),
    outline: [
      'asked Fix the loop.',
      'tool_call read_file {"file_path":"a.py"}',
      'observation File not found.',
      'error_recovery There is no loop.',
      'recorded at 2026-01-02T03:04:05.000Z',
      'framework gemini-cli',
      'source {"session_id":"s1"}',
      'model gemini-3-pro',
      'step 0: c1',
      'step 1: c1, flag',
    ],
  },
];
