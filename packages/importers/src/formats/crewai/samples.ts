import type { ImporterSample } from '../../importer/importer.ts';

const ASKED = 'What is the weather in Oslo?';

export const samples: readonly ImporterSample[] = [
  {
    name: 'the output of a crew',
    text: JSON.stringify({
      raw: 'It rains.',
      pydantic: null,
      json_dict: null,
      tasks_output: [
        {
          description: ASKED,
          name: 'look',
          expected_output: 'The weather.',
          summary: 'What is …',
          raw: 'It rains.',
          pydantic: null,
          json_dict: null,
          agent: 'Meteorologist',
          output_format: 'raw',
          messages: [
            { role: 'system', content: 'You are a meteorologist.' },
            { role: 'user', content: `Current Task: ${ASKED}` },
            {
              role: 'assistant',
              content:
                'Thought: I have to look.\nAction: get_weather\nAction Input: {"city": "Oslo"}\nObservation: Rain.',
            },
            { role: 'assistant', content: 'Thought: I know.\nFinal Answer: It rains.' },
          ],
        },
        {
          description: 'Write it down.',
          name: 'write',
          raw: 'Written.',
          agent: 'Writer',
          output_format: 'raw',
        },
      ],
      token_usage: {
        total_tokens: 25,
        prompt_tokens: 20,
        cached_prompt_tokens: 0,
        completion_tokens: 5,
        successful_requests: 2,
      },
    }),
    outline: [
      'asked What is the weather in Oslo?',
      'thought Thought: I have to look.',
      'tool_call get_weather {"city":"Oslo"}',
      'observation Rain.',
      'thought Thought: I know.\nFinal Answer: It rains.',
      'observation Write it down.',
      'thought Written.',
      'agent Meteorologist',
      'framework crewai',
      'result It rains.',
      'source {}',
      'step 4: user',
    ],
  },
  {
    name: 'a log file',
    text: JSON.stringify(
      ['started', 'completed'].map((status, index) => ({
        timestamp: `2026-01-02 03:04:0${5 + index}`,
        task_name: 'look',
        task: ASKED,
        agent: 'Meteorologist',
        status,
        ...(status === 'completed' && { output: 'It rains.' }),
      })),
    ),
    outline: [
      'asked What is the weather in Oslo?',
      'thought It rains.',
      'recorded at 2026-01-02T03:04:06.000Z',
      'agent Meteorologist',
      'framework crewai',
      'source {}',
    ],
  },
];
