import { describeShapes } from '../../../test/shapes.ts';

describeShapes('autogen', [
  [
    'a result of version 0.2, with calls of both kinds',
    {
      chat_id: 7,
      cost: {},
      summary: 'It rains.',
      chat_history: [
        { content: 'Weather?', role: 'assistant', name: 'user_proxy' },
        {
          content: '',
          role: 'assistant',
          name: 'bot',
          function_call: { name: 'f', arguments: '{}' },
        },
        { content: 'none', role: 'function', name: 'f' },
        {
          content: null,
          role: 'assistant',
          tool_calls: [{ id: 'c', function: { name: 'g', arguments: '{}' } }],
        },
        {
          content: 'Rain.',
          role: 'tool',
          tool_responses: [{ tool_call_id: 'c', content: 'Rain.' }],
        },
        { content: 'It rains.', role: 'user', name: 'bot' },
      ],
    },
    [
      'asked Weather?',
      'tool_call f {}',
      'observation none',
      'tool_call g {}',
      'observation Rain.',
      'thought It rains.',
      'framework autogen',
      'source {"chat_id":7}',
      'step 2: c',
      'step 3: c',
    ],
  ],
  [
    'the bare messages of a team, with their tokens and times',
    [
      { source: 'user', models_usage: null, content: 'Hi there, weather?', type: 'TextMessage' },
      { source: 'bot', content: 'It ', type: 'ModelClientStreamingChunkEvent' },
      {
        source: 'bot',
        models_usage: { prompt_tokens: 59, completion_tokens: 11 },
        created_at: '2025-08-10 13:52:20.702356+00:00',
        content: 'It rains.',
        type: 'TextMessage',
      },
    ],
    [
      'asked Hi there, weather?',
      'thought It rains.',
      'recorded at 2025-08-10T13:52:20.702Z',
      'framework autogen',
      'source {}',
      'omitted {"ModelClientStreamingChunkEvent":1}',
    ],
  ],
  [
    'the saved state of a team',
    {
      type: 'TeamState',
      version: '1.0.0',
      agent_states: {
        bot: { type: 'ChatAgentContainerState', agent_state: { llm_context: { messages: [] } } },
        RoundRobinGroupChatManager: {
          type: 'RoundRobinManagerState',
          message_thread: [
            { source: 'user', content: 'Weather in Oslo?', type: 'TextMessage' },
            { source: 'bot', content: 'It rains.', type: 'TextMessage' },
          ],
        },
      },
    },
    ['asked Weather in Oslo?', 'thought It rains.', 'framework autogen', 'source {}'],
  ],
  [
    'the saved state of an agent, with a call',
    {
      type: 'AssistantAgentState',
      version: '1.0.0',
      llm_context: {
        messages: [
          { content: 'Weather in Oslo?', source: 'user', type: 'UserMessage' },
          {
            content: [{ id: 'c1', name: 'f', arguments: '{}' }],
            source: 'bot',
            type: 'AssistantMessage',
          },
          {
            content: [{ content: 'Rain.', call_id: 'c1', is_error: false }],
            type: 'FunctionExecutionResultMessage',
          },
        ],
      },
    },
    [
      'asked Weather in Oslo?',
      'tool_call f {}',
      'observation Rain.',
      'framework autogen',
      'source {}',
      'step 0: c1',
      'step 1: c1',
    ],
  ],
  [
    'a log of magentic-one, whose roles are names',
    {
      question: 'How many?',
      is_corrected: 'False',
      mistake_step: 2,
      history: [
        { content: 'How many?', role: 'human' },
        { content: 'A plan.', role: 'Orchestrator (thought)' },
        { content: 'I clicked.', role: 'WebSurfer' },
        { content: 'Three.', role: 'Assistant' },
      ],
    },
    [
      'asked How many?',
      'thought A plan.',
      'observation I clicked.',
      'thought Three.',
      'recorded false',
      'framework autogen',
      'source {}',
      'verdict is_corrected',
      'annotations {"mistake_step":2}',
      'step 1: WebSurfer',
    ],
  ],
]);
