import { describeShapes } from '../../test/shapes.ts';

const user = (content: string): object => ({ role: 'user', content });
const exchange = (request: unknown, response: unknown, fields: object = {}): object => ({
  uri: 'https://api.example/v1/models/gemini-pro:generateContent',
  method: 'POST',
  request,
  response,
  ...fields,
});

describeShapes('messages that are sent again', [
  [
    'a message that is sent again is read once, but a repeated answer is read again',
    [
      exchange(
        { messages: [user('Go.')] },
        { choices: [{ message: { role: 'assistant', content: 'Hm.' } }] },
      ),
      exchange(
        { messages: [user('Go.'), { role: 'assistant', content: 'Hm.' }, user('Go.')] },
        { choices: [{ message: { role: 'assistant', content: 'Hm.' } }] },
      ),
      exchange(
        {
          messages: [
            { role: 'system', content: 'hidden' },
            { role: 'developer', content: 'hidden' },
            user('Go.'),
            { role: 'assistant', content: 'Hm.' },
            user('Go.'),
            { role: 'assistant', content: 'Hm.' },
            { role: 'assistant', content: [] },
            { role: 'user', content: [{ type: 'image_url' }] },
            { role: 'critic', content: 'Bad.' },
          ],
        },
        {
          choices: [
            {
              message: {
                role: 'assistant',
                content: null,
                tool_calls: [
                  { function: { name: 'f', arguments: '{}' } },
                  { function: { name: 'f', arguments: '{}' } },
                ],
              },
            },
          ],
        },
      ),
      exchange(
        {
          messages: [
            {
              role: 'assistant',
              content: 'In other words.',
              tool_calls: [{ id: 'c1', function: { name: 'g', arguments: '{}' } }],
            },
            { role: 'tool', content: 'x' },
            { role: 'tool', content: 'x' },
            { role: 'tool', tool_call_id: 'c1', content: 'y' },
            { role: 'tool', tool_call_id: 'c1', content: 'z' },
          ],
        },
        { choices: [{ message: { role: 'assistant', content: 'End.' } }] },
      ),
      exchange(
        {
          messages: [
            {
              role: 'assistant',
              content: 'In other words still.',
              tool_calls: [{ id: 'c1', function: { name: 'g', arguments: '{}' } }],
            },
          ],
        },
        { choices: [{ message: { role: 'assistant', content: 'End.' } }] },
      ),
    ],
    [
      'asked Go.',
      'thought Hm.',
      'observation Go.',
      'thought Hm.',
      'observation [image]',
      'observation Bad.',
      'tool_call f {}',
      'tool_call f {}',
      'thought In other words.',
      'tool_call g {}',
      'observation x',
      'observation x',
      'observation y',
      'thought End.',
      'thought End.',
      'source {}',
      'model gemini-pro',
      'omitted {"empty_message":1,"image":1}',
      'step 1: user',
      'step 3: user',
      'step 4: critic',
      'step 8: c1',
      'step 11: c1',
    ],
  ],
]);
