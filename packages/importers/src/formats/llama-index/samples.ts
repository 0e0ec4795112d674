import type { ImporterSample } from '../../importer/importer.ts';

const text = (value: string): object => ({ block_type: 'text', text: value });
const asked = {
  role: 'user',
  additional_kwargs: {},
  blocks: [text('What is the weather in Oslo?')],
};
const requested = {
  role: 'assistant',
  additional_kwargs: {
    tool_calls: [
      {
        id: 'c1',
        type: 'function',
        function: { name: 'get_weather', arguments: '{"city":"Oslo"}' },
      },
    ],
  },
  blocks: [
    text('I have to look.'),
    {
      block_type: 'tool_call',
      tool_call_id: 'c1',
      tool_name: 'get_weather',
      tool_kwargs: { city: 'Oslo' },
    },
  ],
};
const answered = { role: 'assistant', additional_kwargs: {}, blocks: [text('It rains.')] };
const event = (name: string, value: object): object => ({
  __is_pydantic: true,
  value,
  qualified_name: `llama_index.core.agent.workflow.workflow_events.${name}`,
});

export const samples: readonly ImporterSample[] = [
  {
    name: 'a chat store',
    text: JSON.stringify({
      store: {
        user1: [
          asked,
          requested,
          { role: 'tool', additional_kwargs: { tool_call_id: 'c1' }, blocks: [text('Rain.')] },
          answered,
        ],
      },
      class_name: 'SimpleChatStore',
    }),
    outline: [
      'asked What is the weather in Oslo?',
      'thought I have to look.',
      'tool_call get_weather {"city":"Oslo"}',
      'observation Rain.',
      'thought It rains.',
      'framework llama-index',
      'source {"chat_id":"user1"}',
      'step 1: c1',
      'step 2: c1',
    ],
  },
  {
    name: 'events of an agent workflow',
    text: [
      event('AgentInput', { input: [asked], current_agent_name: 'Weather' }),
      event('AgentOutput', {
        response: requested,
        tool_calls: [{ tool_name: 'get_weather', tool_kwargs: { city: 'Oslo' }, tool_id: 'c1' }],
        current_agent_name: 'Weather',
      }),
      event('ToolCallResult', {
        tool_name: 'get_weather',
        tool_kwargs: { city: 'Oslo' },
        tool_id: 'c1',
        tool_output: { blocks: [text('no such city')], tool_name: 'get_weather', is_error: true },
      }),
      event('AgentOutput', { response: answered, tool_calls: [], current_agent_name: 'Weather' }),
    ]
      .map((value) => JSON.stringify(value))
      .join('\n'),
    outline: [
      'asked What is the weather in Oslo?',
      'thought I have to look.',
      'tool_call get_weather {"city":"Oslo"}',
      'observation no such city',
      'error_recovery It rains.',
      'agent Weather',
      'framework llama-index',
      'source {}',
      'step 1: c1',
      'step 2: c1, flag',
    ],
  },
];
