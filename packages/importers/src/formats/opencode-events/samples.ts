import type { ImporterSample } from '../../importer/importer.ts';

const event = (type: string, properties: object): string =>
  JSON.stringify({ timestamp: 1767323045000, event: { type, properties } });
const message = (id: string, role: string, fields: object = {}): string =>
  event('message.updated', {
    info: { id, sessionID: 'ses_1', role, time: { created: 1767323045000 }, ...fields },
  });
const part = (messageID: string, id: string, fields: object): string =>
  event('message.part.updated', { part: { id, sessionID: 'ses_1', messageID, ...fields } });
const tool = (status: string, fields: object): string =>
  part('msg_2', 'prt_3', {
    type: 'tool',
    callID: 'c1',
    tool: 'read',
    state: { status, input: { path: 'a.ts' }, ...fields },
  });

export const samples: readonly ImporterSample[] = [
  {
    name: 'a session that was interrupted',
    text: [
      event('session.status', { sessionID: 'ses_1', status: { type: 'busy' } }),
      message('msg_1', 'user'),
      part('msg_1', 'prt_1', { type: 'text', text: 'Fix a.ts.' }),
      part('msg_1', 'prt_0', { type: 'text', text: '[branch: main]', synthetic: true }),
      message('msg_2', 'assistant', { modelID: 'gemini-2.5-flash' }),
      part('msg_2', 'prt_2', { type: 'text', text: '' }),
      event('message.part.delta', {
        sessionID: 'ses_1',
        messageID: 'msg_2',
        partID: 'prt_2',
        field: 'text',
        delta: 'I look.',
      }),
      tool('running', {}),
      tool('completed', { output: 'x = 1' }),
      event('session.error', { sessionID: 'ses_1', error: { name: 'MessageAbortedError' } }),
      event('session.idle', { sessionID: 'ses_1' }),
    ].join('\n'),
    outline: [
      'asked Fix a.ts.',
      'thought I look.',
      'tool_call read {"path":"a.ts"}',
      'observation x = 1',
      'observation [interrupted by the user]',
      'recorded at 2026-01-02T03:04:05.000Z',
      'framework opencode',
      'result Interrupted by the user.',
      'source {"session_id":"ses_1"}',
      'model gemini-2.5-flash',
      'ending interrupted',
      'step 1: c1',
      'step 2: c1',
      'step 3: user, interrupted',
    ],
  },
];
