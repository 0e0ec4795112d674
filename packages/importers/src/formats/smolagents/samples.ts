import type { ImporterSample } from '../../importer/importer.ts';

const timing = (second: number): object => ({
  start_time: 1767323045 + second,
  end_time: 1767323046 + second,
  duration: 1,
});
const action = (number: number, fields: object): object => ({
  step_number: number,
  timing: timing(number),
  model_input_messages: null,
  tool_calls: null,
  error: null,
  model_output: null,
  observations: null,
  token_usage: { input_tokens: 9, output_tokens: 3, total_tokens: 12 },
  is_final_answer: false,
  ...fields,
});
const STEPS = [
  { system_prompt: 'You are an expert.' },
  { task: 'What is the weather in Oslo?', task_images: null },
  {
    plan: 'Look, then answer.',
    model_output_message: { role: 'assistant', content: 'Look.' },
    timing: timing(0),
  },
  action(1, {
    model_output: 'Thought: I have to look.',
    tool_calls: [
      {
        id: 'c1',
        type: 'function',
        function: { name: 'python_interpreter', arguments: 'get_weather("Oslo")' },
      },
    ],
    error: { type: 'AgentExecutionError', message: 'no such city' },
  }),
  action(2, {
    model_output: 'Thought: I know.',
    tool_calls: [
      {
        id: 'c2',
        type: 'function',
        function: { name: 'final_answer', arguments: { answer: 'Rain.' } },
      },
    ],
    observations: 'Rain.',
    is_final_answer: true,
  }),
];

export const samples: readonly ImporterSample[] = [
  {
    name: 'the steps of a memory',
    text: JSON.stringify(STEPS),
    outline: [
      'asked What is the weather in Oslo?',
      'thought Look, then answer.',
      'thought Thought: I have to look.',
      'tool_call python_interpreter {"code":"get_weather(\\"Oslo\\")"}',
      'observation no such city',
      'error_recovery Thought: I know.',
      'tool_call final_answer {"answer":"Rain."}',
      'observation Rain.',
      'recorded at 2026-01-02T03:04:05.000Z',
      'framework smolagents',
      'source {}',
      'step 2: c1',
      'step 3: c1, flag',
      'step 5: c2',
      'step 6: c2',
    ],
  },
  {
    name: 'a run that reached its limit',
    text: JSON.stringify({
      output: 'No answer.',
      state: 'max_steps_error',
      steps: STEPS.slice(1, 4),
      token_usage: null,
      timing: timing(0),
    }),
    outline: [
      'asked What is the weather in Oslo?',
      'thought Look, then answer.',
      'thought Thought: I have to look.',
      'tool_call python_interpreter {"code":"get_weather(\\"Oslo\\")"}',
      'observation no such city',
      'recorded at 2026-01-02T03:04:05.000Z',
      'recorded false',
      'framework smolagents',
      'result No answer.',
      'source {}',
      'verdict state',
      'ending limit',
      'step 2: c1',
      'step 3: c1, flag',
    ],
  },
];
