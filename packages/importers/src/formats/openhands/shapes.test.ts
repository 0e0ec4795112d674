import { describeShapes, Lines } from '../../../test/shapes.ts';

const USER = { source: 'user', action: 'message', args: { content: 'Go.' } };
const AGENT = { source: 'agent', action: 'message', args: { content: 'Gone.' } };

const state = (agent_state: string, reason: string): object => ({
  source: 'environment',
  observation: 'agent_state_changed',
  content: '',
  extras: { agent_state, reason },
});
const WORK: readonly object[] = [
  { id: 1, source: 'user', action: 'message', args: { content: 'Go.' } },
  { id: 2, source: 'agent', action: 'look', args: { at: 'x' } },
  { id: 3, source: 'agent', observation: 'look', cause: 2, content: 'seen' },
];
const WORKED = ['asked Go.', 'tool_call look {"at":"x"}', 'observation seen'];
const TOLD = ['framework openhands', 'source {}'];
const OMITTED = 'omitted {"agent_state_changed":1}';
const STEPS = ['step 0: 2', 'step 1: 2'];

const secondState = (value: string): object => ({
  kind: 'ConversationStateUpdateEvent',
  source: 'environment',
  key: 'execution_status',
  value,
});
const conversationError = (code: string, detail: string): object => ({
  kind: 'ConversationErrorEvent',
  source: 'environment',
  code,
  detail,
});
const secondWork = (exit_code: number): object[] => [
  {
    kind: 'MessageEvent',
    source: 'user',
    llm_message: { role: 'user', content: [{ type: 'text', text: 'Go.' }] },
  },
  {
    kind: 'ActionEvent',
    source: 'agent',
    thought: [{ type: 'text', text: 'I look.' }],
    action: { kind: 'TerminalAction', command: 'cat x' },
    tool_name: 'terminal',
    tool_call_id: 'c1',
  },
  {
    kind: 'ObservationEvent',
    source: 'environment',
    tool_name: 'terminal',
    tool_call_id: 'c1',
    observation: {
      kind: 'TerminalObservation',
      content: [{ type: 'text', text: 'cat: x: No such file or directory' }],
      exit_code,
      is_error: false,
      metadata: { exit_code: -1 },
    },
  },
];

describeShapes('openhands', [
  [
    'a verdict in a report, an error, a patch beside the history',
    {
      instance_id: 'a-1',
      history: [USER, AGENT],
      report: { resolved: false, success: true },
      resolved: true,
      error: 'Agent stuck in a loop',
      git_patch: 'diff',
      metadata: { llm_config: { model: 'm' } },
    },
    [
      'asked Go.',
      'thought Gone.',
      'recorded false',
      'framework openhands',
      'result diff',
      'source {"instance_id":"a-1"}',
      'verdict error',
      'model m',
    ],
  ],
  [
    'a run that reached its turn limit',
    { history: [USER, AGENT], success: false, resolved: null, error: 'Reached Maximum Iteration' },
    [
      'asked Go.',
      'thought Gone.',
      'recorded false',
      'framework openhands',
      'source {}',
      'verdict success',
      'ending limit',
    ],
  ],
  [
    'an empty error',
    { history: [USER, AGENT], error: '' },
    ['asked Go.', 'thought Gone.', 'framework openhands', 'source {}'],
  ],
  [
    'text in other fields, and tool names',
    [
      { id: 0, source: 'user', action: 'message', message: 'Go.', args: {} },
      { id: 1, source: 'agent', action: 'message', args: { thought: 'Thought.' } },
      { id: 2, source: 'agent', action: 'finish', args: { thought: '' }, message: 'Message.' },
      {
        id: 3,
        source: 'agent',
        action: 'call_tool_mcp',
        args: { name: 'search', query: 'q', thought: 'I search.', hidden: true },
        tool_call_metadata: { tool_call_id: 'c3' },
      },
      { id: 4, source: 'agent', observation: 'mcp', cause: 3, message: 'Found.' },
      { source: 'agent', action: 'mcp', args: { thought: '' } },
      { source: 'agent', action: 'run', args: null },
      {
        source: 'agent',
        observation: 'run',
        tool_call_metadata: { tool_call_id: 'c9' },
        content: 'x',
        extras: { exit_code: -1 },
      },
      { source: 'agent', observation: 'error', content: 'bad', extras: { metadata: {} } },
      { source: 'agent', observation: 'run', cause: 3, content: 'y', extras: { exit_code: 0 } },
      { source: 'agent', observation: 'agent_state_changed', content: '' },
    ],
    [
      'asked Go.',
      'thought Thought.',
      'thought Message.',
      'thought I search.',
      'tool_call search {"name":"search","query":"q"}',
      'observation Found.',
      'tool_call mcp {}',
      'tool_call run {}',
      'observation x',
      'observation bad',
      'observation y',
      'framework openhands',
      'source {}',
      'omitted {"agent_state_changed":1}',
      'step 3: c3',
      'step 4: c3',
      'step 5: 5',
      'step 6: 6',
      'step 7: 6',
      'step 8: 6, flag',
      'step 9: c3',
    ],
  ],
  [
    'events of the first layout with content',
    {
      history: [
        { action: 'message', content: 'Go.' },
        { action: 'message', content: 'Which?', wait_for_response: true },
        { observation: 'run', command: 'ls' },
      ],
    },
    ['asked Go.', 'thought Which?', 'observation ', 'framework openhands', 'source {}'],
  ],
  [
    'events of version 1 of every kind',
    new Lines(
      { kind: 'SystemPromptEvent', source: 'agent' },
      {
        kind: 'MessageEvent',
        source: 'user',
        llm_message: { role: 'user', content: [{ type: 'text', text: 'Go.' }] },
      },
      {
        kind: 'ActionEvent',
        source: 'agent',
        reasoning_content: 'Reasoned.',
        thought: [{ type: 'text', text: 'Thought.' }],
        action: { kind: 'RunAction', command: 'ls' },
        tool_call_id: 'c1',
      },
      {
        kind: 'ObservationEvent',
        source: 'environment',
        tool_call_id: 'c1',
        observation: { kind: 'RunObservation', output: 'none', is_error: true },
      },
      {
        kind: 'ActionEvent',
        source: 'agent',
        thought: [],
        action: null,
        tool_name: 'look',
        tool_call_id: 'c2',
      },
      {
        kind: 'ObservationEvent',
        source: 'environment',
        tool_call_id: 'c2',
        observation: { content: 'none', error: true },
      },
      { kind: 'AgentErrorEvent', source: 'agent', error: 'no such tool', tool_call_id: 'c3' },
      {
        kind: 'UserRejectObservation',
        source: 'user',
        rejection_reason: 'not now',
        tool_call_id: 'c4',
      },
      {
        kind: 'ActionEvent',
        source: 'agent',
        thought: [],
        action: { kind: 'FinishAction', message: 'Done.' },
        tool_name: 'finish',
        tool_call_id: 'c5',
      },
      {
        kind: 'ObservationEvent',
        source: 'environment',
        tool_name: 'finish',
        tool_call_id: 'c5',
        observation: { content: 'Done.' },
      },
      { kind: 'ObservationEvent', source: 'environment', observation: 'text' },
      { kind: 'MessageEvent', source: 'agent', llm_message: null },
    ),
    [
      'asked Go.',
      'thought Reasoned.',
      'tool_call RunAction {"command":"ls"}',
      'observation none',
      'error_recovery look {}',
      'observation none',
      'observation no such tool',
      'observation not now',
      'error_recovery Done.',
      'framework openhands',
      'source {}',
      'omitted {"SystemPromptEvent":1,"ObservationEvent":1,"MessageEvent":1}',
      'step 1: c1',
      'step 2: c1, flag',
      'step 3: c2',
      'step 4: c2, flag',
      'step 5: c3, flag, orphan',
      'step 6: c4, rejected, orphan',
    ],
  ],
  [
    'a log that ends with a state of error',
    [...WORK, state('error', 'STATUS$ERROR_LLM_OUT_OF_CREDITS')],
    [...WORKED, 'recorded false', ...TOLD, 'verdict error', OMITTED, ...STEPS],
  ],
  [
    'an error after which the agent went on, and a limit on iterations',
    [
      state('error', 'RateLimitError'),
      ...WORK,
      state('error', 'RuntimeError: Agent reached maximum iteration. Current iteration: 3'),
    ],
    [...WORKED, ...TOLD, 'ending limit', 'omitted {"agent_state_changed":2}', ...STEPS],
  ],
  [
    'a run that crashed before its first step',
    [WORK[0] ?? {}, state('error', '')],
    ['crashed error'],
  ],
  [
    'a graded result whose history ends with an error',
    { resolved: true, history: [...WORK, state('error', 'AgentStuckInLoopError')], error: null },
    [...WORKED, 'recorded true', ...TOLD, 'verdict resolved', OMITTED, ...STEPS],
  ],
  [
    'a result that reached the limit on iterations',
    { history: WORK, error: 'RuntimeError: Agent reached maximum iteration.' },
    [...WORKED, ...TOLD, 'ending limit', ...STEPS],
  ],
  [
    'events of version 1 that end with an error, and an exit code',
    [...secondWork(2), conversationError('AuthenticationError', 'No key.'), secondState('error')],
    [
      'asked Go.',
      'thought I look.',
      'tool_call terminal {"command":"cat x"}',
      'observation cat: x: No such file or directory',
      'recorded false',
      'framework openhands',
      'source {}',
      'verdict error',
      'shell_tools one',
      'omitted {"ConversationErrorEvent":1,"ConversationStateUpdateEvent":1}',
      'step 1: c1',
      'step 2: c1, exit_code',
    ],
  ],
  [
    'events of version 1 that end with a limit, after an error that was repaired',
    [
      secondState('error'),
      ...secondWork(-1),
      conversationError('MaxIterationsReached', 'Agent reached maximum iterations limit (5).'),
      secondState('error'),
    ],
    [
      'asked Go.',
      'thought I look.',
      'tool_call terminal {"command":"cat x"}',
      'observation cat: x: No such file or directory',
      'framework openhands',
      'source {}',
      'shell_tools one',
      'ending limit',
      'omitted {"ConversationStateUpdateEvent":2,"ConversationErrorEvent":1}',
      'step 1: c1',
      'step 2: c1',
    ],
  ],
]);
