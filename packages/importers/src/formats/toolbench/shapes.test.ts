import { describeShapes } from '../../../test/shapes.ts';

const node = (role: string, message: string, ...next: object[]): object => ({
  role,
  message,
  log_prob: 0,
  next,
});

describeShapes('toolbench', [
  [
    'answers converted for ToolEval, one of which gave up',
    {
      7: {
        query: 'Rain?',
        available_tools: [],
        answer: {
          method: 'CoT',
          total_steps: 3,
          final_answer: '{"return_type": "give_answer", "final_answer": "It rains."}',
          answer_details: [
            node(
              'system',
              '',
              node(
                'user',
                'Rain?',
                node(
                  'tool',
                  `{'name': 'weather', 'arguments': '{"city": "Oslo"}', 'response': '{"error": "no city", "response": ""}'}`,
                  node(
                    'assistant',
                    'Again.',
                    node('tool', "{'name': 'Finish', 'arguments': '{}', 'response': ''}"),
                  ),
                ),
              ),
            ),
          ],
        },
      },
      8: {
        query: 'Snow?',
        answer: {
          final_answer: '{"return_type": "give_up_and_restart"}',
          answer_details: [node('assistant', 'I cannot.')],
        },
      },
    },
    [
      'asked Rain?',
      'tool_call weather {"city":"Oslo"}',
      'observation {"error": "no city", "response": ""}',
      'error_recovery Again.',
      'tool_call Finish {}',
      'agent CoT',
      'framework toolbench',
      'result It rains.',
      'source {"query_id":"7"}',
      'task 7',
      'step 0: 0',
      'step 1: 0, flag',
      'step 3: 1',
      'asked Snow?',
      'thought I cannot.',
      'recorded false',
      'framework toolbench',
      'result {"return_type": "give_up_and_restart"}',
      'source {"query_id":"8"}',
      'verdict answer.final_answer',
      'task 8',
    ],
  ],
]);
