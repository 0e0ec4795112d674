import type { ImporterSample } from '../../importer/importer.ts';

const session_id = 'c6b62c6f';
const event = (type: string, fields: object): string =>
  JSON.stringify({ type, ...fields, session_id });
const say = (role: string, text: string, fields: object = {}): string =>
  event(role, { message: { role, content: [{ type: 'text', text }] }, ...fields });
const call = (subtype: string, call_id: string, tool_call: object): string =>
  event('tool_call', { subtype, call_id, tool_call, timestamp_ms: 1767323045000 });
const INIT = event('system', {
  subtype: 'init',
  apiKeySource: 'login',
  cwd: '/repo',
  model: 'GPT-5',
  permissionMode: 'default',
});

export const samples: readonly ImporterSample[] = [
  {
    name: 'a session',
    text: [
      INIT,
      say('user', 'Fix the test.'),
      event('thinking', { subtype: 'delta', text: 'Which ', timestamp_ms: 1767323045000 }),
      event('thinking', { subtype: 'delta', text: 'one?', timestamp_ms: 1767323045000 }),
      event('thinking', { subtype: 'completed', timestamp_ms: 1767323045000 }),
      say('assistant', 'I run it.', { model_call_id: 'm1', timestamp_ms: 1767323045000 }),
      call('started', 't1', { shellToolCall: { args: { command: 'npm test' } } }),
      call('completed', 't1', {
        shellToolCall: {
          args: { command: 'npm test' },
          result: { failure: { exitCode: 1, stdout: '', stderr: 'sh: npm: not found' } },
        },
      }),
      call('started', 't2', { readToolCall: { args: { path: 'a.ts' } } }),
      call('completed', 't2', {
        readToolCall: { args: { path: 'a.ts' }, result: { success: { content: 'x = 1' } } },
      }),
      say('assistant', 'Fixed.'),
      event('result', {
        subtype: 'success',
        is_error: false,
        duration_ms: 5000,
        result: 'I run it.Fixed.',
        request_id: 'r1',
      }),
    ].join('\n'),
    outline: [
      'asked Fix the test.',
      'thought Which one?',
      'thought I run it.',
      'tool_call shellToolCall {"command":"npm test"}',
      'observation sh: npm: not found',
      'error_recovery readToolCall {"path":"a.ts"}',
      'observation x = 1',
      'thought Fixed.',
      'recorded at 2026-01-02T03:04:05.000Z',
      'framework cursor',
      'result I run it.Fixed.',
      'source {"session_id":"c6b62c6f"}',
      'model GPT-5',
      'shell_tools one',
      'step 2: t1',
      'step 3: t1, exit_code',
      'step 4: t2',
      'step 5: t2',
    ],
  },
];
