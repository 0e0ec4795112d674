import type { ImporterSample } from '../../importer/importer.ts';

const OBJECTIVE = 'What is the weather in Oslo?';
const STEPS = [
  'thought I have to look.',
  'tool_call get_weather {"city":"Oslo"}',
  'observation Rain.',
  'thought It rains.',
];
const exchange = (request: object, response: object): object => ({
  uri: 'https://api.example/v1',
  method: 'POST',
  status: { code: 200 },
  request,
  response,
});

export const samples: readonly ImporterSample[] = [
  {
    name: 'Anthropic, with the history sent again',
    text: JSON.stringify([
      exchange(
        { model: 'claude', messages: [{ role: 'user', content: OBJECTIVE }] },
        {
          id: 'm1',
          type: 'message',
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'I have to look.', signature: 'x' },
            { type: 'tool_use', id: 't1', name: 'get_weather', input: { city: 'Oslo' } },
          ],
        },
      ),
      exchange(
        {
          model: 'claude',
          messages: [
            { role: 'user', content: OBJECTIVE },
            {
              role: 'assistant',
              content: [
                { type: 'tool_use', id: 't1', name: 'get_weather', input: { city: 'Oslo' } },
              ],
            },
            {
              role: 'user',
              content: [{ type: 'tool_result', tool_use_id: 't1', content: 'Rain.' }],
            },
          ],
        },
        {
          id: 'm2',
          type: 'message',
          role: 'assistant',
          content: [{ type: 'text', text: 'It rains.' }],
        },
      ),
    ]),
    outline: [
      `asked ${OBJECTIVE}`,
      ...STEPS,
      'source {}',
      'model claude',
      'step 1: t1',
      'step 2: t1',
    ],
  },
  {
    name: 'OpenAI chat in a HAR file, the first answer streamed',
    text: JSON.stringify({
      log: {
        entries: [
          [{ role: 'user', content: OBJECTIVE }],
          [
            { role: 'user', content: OBJECTIVE },
            {
              role: 'assistant',
              content: 'I have to look.',
              tool_calls: [
                { id: 'c1', function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } },
              ],
            },
            { role: 'tool', tool_call_id: 'c1', content: 'Rain.' },
          ],
        ].map((messages, index) => ({
          request: {
            method: 'POST',
            url: 'https://api.example/v1/chat/completions',
            postData: { text: JSON.stringify({ model: 'gpt', messages }) },
          },
          response: {
            status: 200,
            content: {
              text:
                index === 0
                  ? 'data: {}'
                  : JSON.stringify({
                      choices: [{ message: { role: 'assistant', content: 'It rains.' } }],
                    }),
            },
          },
        })),
      },
    }),
    outline: [`asked ${OBJECTIVE}`, ...STEPS, 'source {}', 'model gpt', 'step 1: c1', 'step 2: c1'],
  },
];
