import { describeShapes } from '../../../test/shapes.ts';

const user = (content: unknown): object => ({ role: 'user', content });
const agent = (content: unknown, fields: object = {}): object => ({
  role: 'assistant',
  content,
  ...fields,
});
const sample = (fields: object): object => ({
  id: 'a',
  epoch: 1,
  messages: [agent('Gone.')],
  ...fields,
});

describeShapes('inspect', [
  [
    'a sample with one score of the first versions',
    sample({ score: { value: 'C' }, input: 'Go.' }),
    [
      'asked Go.',
      'thought Gone.',
      'recorded true',
      'framework inspect',
      'source {"id":"a","epoch":1}',
      'verdict score.value',
      'task a',
    ],
  ],
  [
    'a sample with both',
    sample({ score: { value: 'C' }, scores: { match: { value: 'I' } } }),
    [
      'asked (no objective recorded)',
      'thought Gone.',
      'recorded false',
      'framework inspect',
      'source {"id":"a","epoch":1}',
      'verdict scores.match.value',
      'task a',
    ],
  ],
  [
    'a sample that ended with an error',
    sample({ error: { message: 'x' }, scores: { match: { value: 'C' } } }),
    [
      'asked (no objective recorded)',
      'thought Gone.',
      'recorded false',
      'framework inspect',
      'source {"id":"a","epoch":1}',
      'verdict error',
      'task a',
    ],
  ],
  [
    'a log with one scorer that it lists, attachments, and messages for an input',
    {
      eval: {
        task: 't',
        run_id: 'r',
        task_id: 'ti',
        model: 'm',
        created: '2026-01-02T03:04:05Z',
        scorers: [{ name: 'match' }],
      },
      status: 'success',
      samples: [
        sample({
          started_at: '2026-01-03T00:00:00Z',
          error: null,
          input: [
            { role: 'system', content: 'x' },
            user([{ type: 'text', text: 'attachment://k' }]),
          ],
          attachments: { k: 'Attached.' },
          scores: { other: 0, match: 1 },
          messages: [
            user('attachment://k'),
            agent(
              [
                { type: 'reasoning', reasoning: 'Why.' },
                { type: 'text', text: 'attachment://none' },
              ],
              {
                tool_calls: [
                  { id: 'c', function: 'f', arguments: { a: 1 } },
                  { id: 'd', function: { name: 'g', arguments: '{}' } },
                ],
              },
            ),
            { role: 'tool', tool_call_id: 'c', content: '', error: { message: 'broken' } },
            { role: 'tool', tool_call_id: 'd', content: 'said', error: { message: 'not this' } },
          ],
        }),
        sample({ id: 'b', scores: { match: { value: null }, other: { value: 'I' } } }),
        'none',
        { id: 'c' },
      ],
    },
    [
      'asked Attached.',
      'thought Why.',
      'thought attachment://none',
      'tool_call f {"a":1}',
      'tool_call g {}',
      'observation broken',
      'observation said',
      'recorded at 2026-01-03T00:00:00.000Z',
      'recorded true',
      'agent m',
      'framework inspect',
      'source {"id":"a","epoch":1,"task":"t","run_id":"r","task_id":"ti"}',
      'verdict scores.match.value',
      'task t/a',
      'model m',
      'step 2: c',
      'step 3: d',
      'step 4: c, flag',
      'step 5: d, flag',
      'asked (no objective recorded)',
      'thought Gone.',
      'recorded at 2026-01-02T03:04:05.000Z',
      'recorded false',
      'agent m',
      'framework inspect',
      'source {"id":"b","epoch":1,"task":"t","run_id":"r","task_id":"ti"}',
      'verdict scores.other.value',
      'task t/b',
      'model m',
      'error line 1: samples[2]: expected a sample, received "none"',
      'error line 1: samples[3].messages: expected an array, received nothing',
    ],
  ],
  [
    'a log with two scorers',
    {
      eval: { scorers: [{ name: 'a' }, { name: 'b' }] },
      samples: [sample({ scores: { a: 'C', b: 'I' } })],
    },
    [
      'asked (no objective recorded)',
      'thought Gone.',
      'framework inspect',
      'source {"id":"a","epoch":1}',
      'verdict_choices ["scores.a.value","scores.b.value"]',
      'task a',
    ],
  ],
  [
    'samples that a limit stopped, and one that was invalidated',
    {
      eval: {},
      samples: [
        sample({ limit: { type: 'time', limit: 60 } }),
        sample({ id: 'b', scores: { match: 'C' }, invalidation: { author: 'a', reason: 'wrong' } }),
      ],
    },
    [
      'asked (no objective recorded)',
      'thought Gone.',
      'framework inspect',
      'source {"id":"a","epoch":1}',
      'task a',
      'ending limit',
      'asked (no objective recorded)',
      'thought Gone.',
      'framework inspect',
      'source {"id":"b","epoch":1}',
      'verdict_unreadable {"path":"invalidation","value":"invalidated"}',
      'task b',
    ],
  ],
]);
