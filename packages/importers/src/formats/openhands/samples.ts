import type { ImporterSample } from '../../importer/importer.ts';

const OBJECTIVE = 'What is the weather in Oslo?';
const time = '2026-01-02T03:04:05.000Z';
const EVENTS = [
  { id: 0, source: 'agent', action: 'system', args: { content: 'You are an agent.' } },
  { id: 1, source: 'user', action: 'message', args: { content: OBJECTIVE } },
  { id: 2, source: 'agent', action: 'run', args: { command: 'ls x', thought: 'I look.' } },
  {
    id: 3,
    source: 'agent',
    observation: 'run',
    cause: 2,
    content: 'no such file',
    extras: { metadata: { exit_code: 2 } },
  },
  { id: 4, source: 'agent', action: 'think', args: { thought: 'Odd.' } },
  { id: 5, source: 'agent', observation: 'think', cause: 4, content: 'Noted.' },
  { id: 6, source: 'agent', action: 'finish', args: { final_thought: 'Nothing there.' } },
].map((event) => ({ timestamp: time, ...event }));
const ASKED = 'tool_call get_weather {"city":"Oslo"}';
const STEPS = ['thought I have to look.', ASKED, 'observation Rain.', 'thought It rains.'];
const lines = (values: readonly unknown[]): string =>
  values.map((value) => JSON.stringify(value)).join('\n');

export const samples: readonly ImporterSample[] = [
  {
    name: 'a result with pairs of events',
    text: JSON.stringify({
      instance_id: 'a__b-1',
      instance: { problem_statement: 'Fix it.' },
      metadata: { llm_config: { model: 'm' } },
      history: [[EVENTS[1], EVENTS[1]].slice(0, 1), [EVENTS[2], EVENTS[3]], [EVENTS[6]]],
      test_result: { git_patch: 'diff' },
      error: null,
    }),
    outline: [
      'asked Fix it.',
      'thought I look.',
      'tool_call run {"command":"ls x"}',
      'observation no such file',
      'error_recovery Nothing there.',
      'recorded at 2026-01-02T03:04:05.000Z',
      'framework openhands',
      'result diff',
      'source {"instance_id":"a__b-1"}',
      'model m',
      'step 1: 2',
      'step 2: 2, exit_code',
    ],
  },
  {
    name: 'a result of the first versions',
    text: JSON.stringify({
      issue: { number: 1 },
      success: true,
      history: [
        { action: 'message', content: OBJECTIVE, wait_for_response: false },
        { action: 'run', command: 'ls x', thought: 'I look.', is_confirmed: 'confirmed' },
        { observation: 'run', content: 'no such file', command: 'ls x', exit_code: 2 },
        { action: 'run_ipython', code: '1', thought: '' },
        { observation: 'run_ipython', content: '1', code: '1' },
        { action: 'finish', outputs: {}, thought: 'Nothing there.' },
      ],
    }),
    outline: [
      `asked ${OBJECTIVE}`,
      'thought I look.',
      'tool_call run {"command":"ls x"}',
      'observation no such file',
      'error_recovery run_ipython {"code":"1"}',
      'observation 1',
      'thought Nothing there.',
      'recorded true',
      'framework openhands',
      'source {}',
      'verdict success',
      'step 1: 1',
      'step 2: 1, exit_code',
      'step 3: 3',
      'step 4: 3',
    ],
  },
  {
    name: 'a list of events',
    text: JSON.stringify(EVENTS),
    outline: [
      `asked ${OBJECTIVE}`,
      'thought I look.',
      'tool_call run {"command":"ls x"}',
      'observation no such file',
      'error_recovery think {"thought":"Odd."}',
      'observation Noted.',
      'thought Nothing there.',
      'recorded at 2026-01-02T03:04:05.000Z',
      'framework openhands',
      'source {}',
      'omitted {"system":1}',
      'step 1: 2',
      'step 2: 2, exit_code',
      'step 3: 4',
      'step 4: 4',
    ],
  },
  {
    name: 'events of version 1',
    text: lines([
      {
        kind: 'MessageEvent',
        source: 'user',
        llm_message: { role: 'user', content: [{ type: 'text', text: OBJECTIVE }] },
      },
      {
        kind: 'ActionEvent',
        source: 'agent',
        thought: [{ type: 'text', text: 'I have to look.' }],
        action: { kind: 'WeatherAction', city: 'Oslo' },
        tool_name: 'get_weather',
        tool_call_id: 'c1',
      },
      {
        kind: 'ObservationEvent',
        source: 'environment',
        tool_name: 'get_weather',
        tool_call_id: 'c1',
        observation: { kind: 'WeatherObservation', content: [{ type: 'text', text: 'Rain.' }] },
      },
      {
        kind: 'MessageEvent',
        source: 'agent',
        llm_message: { role: 'assistant', content: [{ type: 'text', text: 'It rains.' }] },
      },
    ]),
    outline: [
      `asked ${OBJECTIVE}`,
      ...STEPS,
      'framework openhands',
      'source {}',
      'step 1: c1',
      'step 2: c1',
    ],
  },
];
