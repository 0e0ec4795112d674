import { describeShapes } from '../../../test/shapes.ts';

const user = (content: unknown): object => ({ role: 'user', content });
const agent = (content: unknown, fields: object = {}): object => ({
  role: 'assistant',
  content,
  ...fields,
});

describeShapes('openai-chat', [
  [
    'a reward before other verdicts',
    { id: 'x', reward: 0, success: true, messages: [user('Go.'), agent('Gone.')] },
    ['asked Go.', 'thought Gone.', 'recorded false', 'source {"id":"x"}', 'verdict reward'],
  ],
  [
    'contradictory verdicts',
    { success: true, correct: false, messages: [user('Go.'), agent('Gone.')] },
    ['asked Go.', 'thought Gone.', 'source {}', 'verdict_choices ["success","correct"]'],
  ],
  [
    'an error beside the messages',
    { error: 'broken', success: true, messages: [user('Go.'), agent('Gone.')] },
    ['asked Go.', 'thought Gone.', 'recorded false', 'source {}', 'verdict error'],
  ],
  [
    'an error under info',
    { info: { error: 'broken' }, resolved: true, messages: [user('Go.'), agent('Gone.')] },
    ['asked Go.', 'thought Gone.', 'recorded false', 'source {}', 'verdict info.error'],
  ],
  [
    'tau-bench',
    {
      task_id: 1,
      trial: 2,
      traj: [user('Go.'), agent('Gone.')],
      created_at: '2026-01-02T03:04:05Z',
      model: 'm',
    },
    [
      'asked Go.',
      'thought Gone.',
      'recorded at 2026-01-02T03:04:05.000Z',
      'agent m',
      'source {"task_id":1,"trial":2}',
      'task 1',
      'model m',
    ],
  ],
  [
    'a request with its choices',
    {
      request: { messages: [user('Go.')] },
      response: { choices: [{ message: agent('Gone.') }, { message: agent('Other.') }] },
    },
    ['asked Go.', 'thought Gone.', 'source {}'],
  ],
  [
    'a request with an answer that is itself a message',
    { messages: [user('Go.')], response: agent('Gone.') },
    ['asked Go.', 'thought Gone.', 'source {}'],
  ],
  [
    'reasoning, refusals, calls of every kind',
    [
      { role: 'developer', content: 'x' },
      user('Go.'),
      agent('Said.', { reasoning_content: 'Why.', reasoning: 'not this' }),
      agent(null, { refusal: 'No.', reasoning: 'Other.' }),
      agent('', { reasoning: { a: 1 } }),
      agent(null, { function_call: { name: 'f', arguments: '{"a":1}' } }),
      { role: 'function', name: 'f', content: 'Error: no' },
      agent(null, { tool_calls: [{ id: 'c', custom: { name: 'g', input: 'text' } }] }),
      { role: 'tool', tool_call_id: 'c', content: 'an Error: inside' },
      {
        role: 'critic',
        content: [
          { type: 'text', text: 'Words' },
          { type: 'input_audio' },
          { type: 'video' },
          { type: 'document' },
          { type: 'odd kind!' },
        ],
      },
    ],
    [
      'asked Go.',
      'thought Why.',
      'thought Said.',
      'thought Other.',
      'thought No.',
      'tool_call f {"a":1}',
      'observation Error: no',
      'error_recovery g text',
      'observation an Error: inside',
      'observation Words\n[audio]\n[video]\n[file]\n[odd_kind_]',
      'source {}',
      'omitted {"empty_message":1,"audio":1,"video":1,"file":1,"odd_kind_":1}',
      'step 5: text',
      'step 6: c',
      'step 7: c',
      'step 8: critic',
    ],
  ],
]);
