import type { ImporterSample } from '../../importer/importer.ts';

const said = (type: string, source: string, content: unknown): object => ({
  source,
  models_usage: null,
  content,
  type,
});

export const samples: readonly ImporterSample[] = [
  {
    name: 'a result of version 0.4',
    text: JSON.stringify({
      messages: [
        said('TextMessage', 'user', 'What is the weather in Oslo?'),
        said('ToolCallRequestEvent', 'weather_agent', [
          { id: 'c1', name: 'get_weather', arguments: '{"city":"Oslo"}' },
        ]),
        said('ToolCallExecutionEvent', 'weather_agent', [
          { call_id: 'c1', name: 'get_weather', content: 'no such city', is_error: true },
        ]),
        said('ToolCallSummaryMessage', 'weather_agent', 'no such city'),
        said('TextMessage', 'weather_agent', 'It rains.'),
      ],
      stop_reason: 'Maximum number of turns reached.',
    }),
    outline: [
      'asked What is the weather in Oslo?',
      'tool_call get_weather {"city":"Oslo"}',
      'observation no such city',
      'error_recovery It rains.',
      'framework autogen',
      'source {}',
      'omitted {"ToolCallSummaryMessage":1}',
      'step 0: c1',
      'step 1: c1, flag',
    ],
  },
  {
    name: 'a log of Who&When with its annotation',
    text: JSON.stringify({
      is_correct: false,
      question: 'How many?',
      question_ID: 'q1',
      history: [
        { content: 'You are given a task: How many?', name: 'Expert', role: 'user' },
        { content: 'I count. ```python\nprint(x)```', name: 'Expert', role: 'assistant' },
        { content: 'exitcode: 1 (execution failed)', name: 'Computer_terminal', role: 'user' },
        { content: 'Three.', name: 'Checker', role: 'user' },
      ],
      mistake_agent: 'Checker',
      mistake_step: '3',
      mistake_reason: 'It guesses.',
    }),
    outline: [
      'asked How many?',
      'thought I count. ```python\nprint(x)```',
      'observation exitcode: 1 (execution failed)',
      'error_recovery Three.',
      'recorded false',
      'framework autogen',
      'source {"question_ID":"q1"}',
      'verdict is_correct',
      'task q1',
      'annotations {"mistake_agent":"Checker","mistake_step":"3","mistake_reason":"It guesses."}',
      'step 1: Computer_terminal, text',
    ],
  },
];
