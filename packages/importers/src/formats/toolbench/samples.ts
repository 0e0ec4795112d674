import type { ImporterSample } from '../../importer/importer.ts';

const node = (
  type: string,
  description: string,
  fields: object,
  ...children: object[]
): object => ({
  is_terminal: false,
  pruned: false,
  finished: false,
  node_type: type,
  description,
  Elo: 1000,
  children,
  ...fields,
});
const seen = (observation: string, code: number): object => ({
  observation,
  observation_code: code,
});

export const samples: readonly ImporterSample[] = [
  {
    name: 'a search with two branches',
    text: JSON.stringify({
      win: true,
      tree: {
        size: 7,
        max_length: 4,
        tree: node(
          'Action Input',
          '',
          {},
          node(
            'Action',
            'get_weather',
            {},
            node(
              'Action Input',
              '{"city": "Os"}',
              seen('{"error": "Message error...", "response": ""}', 11),
            ),
          ),
          node(
            'Thought',
            'I have to spell it right.',
            {},
            node(
              'Action',
              'get_weather',
              {},
              node(
                'Action Input',
                '{"city": "Oslo"}',
                seen('{"error": "", "response": "Rain."}', 0),
                node(
                  'Action',
                  'Finish',
                  {},
                  node(
                    'Action Input',
                    '{"return_type": "give_answer", "final_answer": "It rains."}',
                    seen('{"response":"successfully giving the final answer."}', 3),
                  ),
                ),
              ),
            ),
          ),
        ),
      },
      forward_args: { single_chain_max_step: 12 },
      compare_candidates: [],
      answer_generation: {
        valid_data: true,
        final_answer: '{"return_type": "give_answer", "final_answer": "It rains."}',
        query: 'What is the weather in Oslo?',
        finish_type: 'give_answer',
        train_messages: [],
      },
    }),
    outline: [
      'asked What is the weather in Oslo?',
      'tool_call get_weather {"city":"Os"}',
      'observation {"error": "Message error...", "response": ""}',
      'error_recovery I have to spell it right.',
      'tool_call get_weather {"city":"Oslo"}',
      'observation {"error": "", "response": "Rain."}',
      'tool_call Finish {"return_type":"give_answer","final_answer":"It rains."}',
      'observation {"response":"successfully giving the final answer."}',
      'recorded true',
      'framework toolbench',
      'result {"return_type": "give_answer", "final_answer": "It rains."}',
      'source {}',
      'verdict win',
      'step 0: 0.0.0',
      'step 1: 0.0.0, flag',
      'step 3: 0.1.0.0',
      'step 4: 0.1.0.0',
      'step 5: 0.1.0.0.0.0',
      'step 6: 0.1.0.0.0.0',
    ],
  },
];
