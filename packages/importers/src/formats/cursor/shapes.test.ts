import { describeShapes, Lines } from '../../../test/shapes.ts';

const event = (type: string, fields: object): object => ({ type, ...fields, session_id: 's' });
const say = (role: string, text: string, fields: object = {}): object =>
  event(role, { message: { role, content: [{ type: 'text', text }] }, ...fields });
const done = (call_id: string, tool_call: object): object =>
  event('tool_call', { subtype: 'completed', call_id, tool_call });
const INIT = event('system', { subtype: 'init', apiKeySource: 'env', model: 'auto' });

describeShapes('cursor', [
  [
    'an answer in pieces that is repeated as a whole, and no result',
    new Lines(
      INIT,
      say('user', 'Go.'),
      say('assistant', 'I ', { timestamp_ms: 1 }),
      say('assistant', 'look.', { timestamp_ms: 2 }),
      say('assistant', 'I look.', { timestamp_ms: 3, model_call_id: 'm' }),
      done('t1', { lsToolCall: { args: {}, result: { success: { files: ['a'] } } } }),
      say('assistant', 'Done.', { timestamp_ms: 4 }),
      say('assistant', 'Done.'),
    ),
    [
      'asked Go.',
      'thought I look.',
      'tool_call lsToolCall {}',
      'observation {"files":["a"]}',
      'thought Done.',
      'recorded at 1970-01-01T00:00:00.001Z',
      'framework cursor',
      'source {"session_id":"s"}',
      'model auto',
      'ending unfinished',
      'step 1: t1',
      'step 2: t1',
    ],
  ],
  [
    'calls with every ending, calls of servers and functions, and a failed run',
    new Lines(
      INIT,
      say('user', 'Go.'),
      done('t1', {
        mcpToolCall: {
          args: { toolName: 'find', args: { q: 'x' } },
          result: { error: { errorMessage: 'no server' } },
        },
      }),
      done('t2', { function: { name: 'f', arguments: '{"a":1}', result: { success: {} } } }),
      done('t3', { deleteToolCall: { args: {}, result: { rejected: { reason: 'no' } } } }),
      event('retry', { subtype: 'starting' }),
      event('result', { subtype: 'error', is_error: true, result: 'quota' }),
    ),
    [
      'asked Go.',
      'tool_call find {"q":"x"}',
      'observation no server',
      'error_recovery f {"a":1}',
      'observation {}',
      'tool_call deleteToolCall {}',
      'observation no',
      'recorded false',
      'framework cursor',
      'result Interrupted by the user.',
      'source {"session_id":"s"}',
      'verdict result.is_error',
      'model auto',
      'ending interrupted',
      'omitted {"retry":1}',
      'step 0: t1',
      'step 1: t1, flag',
      'step 2: t2',
      'step 3: t2',
      'step 4: t3',
      'step 5: t3, rejected',
    ],
  ],
  [
    'a run that failed before its first step',
    new Lines(INIT, say('user', 'Go.'), event('result', { is_error: true, result: 'no login' })),
    ['crashed no login'],
  ],
]);
