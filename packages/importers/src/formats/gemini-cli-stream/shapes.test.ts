import { describeShapes, Lines } from '../../../test/shapes.ts';

const timestamp = '2026-01-02T03:04:05.000Z';
const init = (id: string): object => ({ type: 'init', timestamp, session_id: id, model: 'm' });
const message = { type: 'message', timestamp, role: 'user', content: 'Go.' };

describeShapes('gemini-cli-stream', [
  [
    'two runs that failed, and a message before the first one',
    new Lines(
      { type: 'message', role: 'user', content: 'Continue.' },
      init('s1'),
      { type: 'tool_use', timestamp, tool_name: 'ls', tool_id: 'c1', parameters: {} },
      { type: 'tool_result', timestamp, tool_id: 'c1', status: 'success' },
      { type: 'error', timestamp, severity: 'warning', message: 'slow' },
      { type: 'error', timestamp, severity: 'error', message: 'quota exceeded' },
      init('s2'),
      message,
      { ...message, role: 'assistant', content: 'Half.' },
      { type: 'result', timestamp, status: 'error', error: { message: 'no network' } },
    ),
    [
      'asked Continue.',
      'tool_call ls {}',
      'observation ',
      'recorded at 2026-01-02T03:04:05.000Z',
      'recorded false',
      'framework gemini-cli',
      'source {"session_id":"s1"}',
      'verdict error.message',
      'model m',
      'omitted {"error":2}',
      'step 0: c1',
      'step 1: c1',
      'asked Go.',
      'thought Half.',
      'recorded at 2026-01-02T03:04:05.000Z',
      'recorded false',
      'framework gemini-cli',
      'source {"session_id":"s2"}',
      'verdict result.status',
      'model m',
    ],
  ],
  [
    'a stream that is cut off during a call',
    new Lines(init('s1'), message, {
      type: 'tool_use',
      timestamp,
      tool_name: 'ls',
      tool_id: 'c1',
      parameters: {},
    }),
    [
      'asked Go.',
      'tool_call ls {}',
      'recorded at 2026-01-02T03:04:05.000Z',
      'framework gemini-cli',
      'source {"session_id":"s1"}',
      'model m',
      'ending unfinished',
      'step 0: c1',
    ],
  ],
]);
