import { describeShapes, Lines } from '../../../test/shapes.ts';

const event = (type: string, properties: object): object => ({ type, properties });
const message = (id: string, role: string, fields: object = {}): object =>
  event('message.updated', { info: { id, sessionID: 's', role, ...fields } });
const part = (messageID: string, id: string, fields: object): object =>
  event('message.part.updated', { part: { id, sessionID: 's', messageID, ...fields } });
const failed = (error: object): object => event('session.error', { sessionID: 's', error });
const OVERFLOW = { name: 'ContextOverflowError', data: { message: 'Too long.' } };
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
  [
    'an error after which the agent answers in another message',
    new Lines(
      ...ASKED,
      ...TRIED,
      failed(OVERFLOW),
      message('m3', 'assistant'),
      part('m3', 'p3', { type: 'text', text: 'Fixed.' }),
      event('session.idle', { sessionID: 's' }),
    ),
    ['asked Fix a.ts.', 'thought I try.', 'thought Fixed.', ...FACTS],
  ],
  [
    'an error after which the agent finishes the same message',
    new Lines(
      ...ASKED,
      ...TRIED,
      failed(OVERFLOW),
      part('m2', 'p3', { type: 'text', text: 'Fixed.' }),
      part('m2', 'p4', { type: 'step-finish', reason: 'stop' }),
    ),
    ['asked Fix a.ts.', 'thought I try.', 'thought Fixed.', ...FACTS],
  ],
  [
    'an error after which only open parts, the failed message and words of the user follow',
    new Lines(
      ...ASKED,
      ...TRIED,
      failed({ name: 'APIError', data: { message: 'Overloaded.' } }),
      part('m2', 'p2', { type: 'text', text: 'I try it.' }),
      message('m2', 'assistant', { error: { name: 'APIError' } }),
      event('session.idle', { sessionID: 's' }),
      message('m3', 'user'),
      part('m3', 'p3', { type: 'text', text: 'Still there?' }),
    ),
    [
      'asked Fix a.ts.',
      'thought I try it.',
      'observation Still there?',
      'recorded false',
      ...FACTS,
      'verdict session.error',
      'step 1: user',
    ],
  ],
]);
