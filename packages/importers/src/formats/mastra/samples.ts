import type { ImporterSample } from '../../importer/importer.ts';

const OBJECTIVE = 'What is the weather in Oslo?';
const ASKED = 'tool_call get_weather {"city":"Oslo"}';
const STEPS = ['thought I have to look.', ASKED, 'observation Rain.', 'thought It rains.'];
const time = '2026-01-02T03:04:05.000Z';
const STORED = [
  { role: 'user', content: { format: 2, parts: [{ type: 'text', text: OBJECTIVE }] } },
  {
    role: 'assistant',
    content: {
      format: 2,
      parts: [
        { type: 'step-start' },
        { type: 'text', text: 'I have to look.' },
        {
          type: 'tool-invocation',
          toolInvocation: {
            state: 'result',
            toolCallId: 'c1',
            toolName: 'get_weather',
            args: { city: 'Oslo' },
            result: 'Rain.',
          },
        },
        { type: 'text', text: 'It rains.' },
      ],
      content: 'It rains.',
    },
  },
].map((message, index) => ({ id: `m${index}`, threadId: 't1', createdAt: time, ...message }));
const lines = (values: readonly unknown[]): string =>
  values.map((value) => JSON.stringify(value)).join('\n');

export const samples: readonly ImporterSample[] = [
  {
    name: 'messages of format 2',
    text: JSON.stringify({ messages: STORED }),
    outline: [
      `asked ${OBJECTIVE}`,
      ...STEPS,
      'recorded at 2026-01-02T03:04:05.000Z',
      'framework mastra',
      'source {"thread_id":"t1"}',
      'step 1: c1',
      'step 2: c1',
    ],
  },
  {
    name: 'rows of its database table',
    text: lines(
      STORED.map(({ content, threadId, ...row }) => ({
        ...row,
        thread_id: threadId,
        content: JSON.stringify(content),
      })),
    ),
    outline: [
      `asked ${OBJECTIVE}`,
      ...STEPS,
      'recorded at 2026-01-02T03:04:05.000Z',
      'framework mastra',
      'source {"thread_id":"t1"}',
      'step 1: c1',
      'step 2: c1',
    ],
  },
];
