import { describeShapes, Lines } from '../../../test/shapes.ts';

const event = (type: string, properties: object): object => ({ type, properties });
const message = (id: string, role: string, fields: object = {}): object =>
  event('message.updated', { info: { id, sessionID: 's', role, ...fields } });
const part = (messageID: string, id: string, fields: object): object =>
  event('message.part.updated', { part: { id, sessionID: 's', messageID, ...fields } });
const ASKED = [message('m1', 'user'), part('m1', 'p1', { type: 'text', text: 'Fix a.ts.' })];
const TRIED = [message('m2', 'assistant'), part('m2', 'p2', { type: 'text', text: 'I try.' })];
const FACTS = ['framework opencode', 'source {"session_id":"s"}'];

describeShapes('opencode-events', [
  [
    'bare events, some with names that Claude managed agents use, too',
    new Lines(
      event('session.updated', { info: { id: 's' } }),
      ...ASKED,
      ...TRIED,
      event('session.idle', { sessionID: 's' }),
    ),
    ['asked Fix a.ts.', 'thought I try.', ...FACTS],
  ],
]);
