import type { ImporterSample } from '../../importer/importer.ts';

const OBJECTIVE = 'What is the weather in Oslo?';
const ASKED = 'tool_call get_weather {"city":"Oslo"}';
const STEPS = ['thought I have to look.', ASKED, 'observation Rain.', 'thought It rains.'];
const at = (second: number): string => `2026-01-02T03:04:0${second}.000Z`;
const lines = (values: readonly unknown[]): string =>
  values.map((value) => JSON.stringify(value)).join('\n');
const message = (name: string, kwargs: object): object => ({
  lc: 1,
  type: 'constructor',
  id: ['langchain_core', 'messages', name],
  kwargs,
});
const run = (id: string, run_type: string, second: number, fields: object): object => ({
  id,
  trace_id: 'r0',
  parent_run_id: 'r0',
  name: run_type,
  run_type,
  start_time: at(second).slice(0, -1),
  end_time: at(second).slice(0, -1),
  ...fields,
});
const HUMAN = message('HumanMessage', { content: OBJECTIVE });
const AI = message('AIMessage', {
  content: 'I have to look.',
  tool_calls: [{ id: 'c1', name: 'get_weather', args: { city: 'Oslo' } }],
});

export const samples: readonly ImporterSample[] = [
  {
    name: 'runs, one per line',
    text: lines([
      run('r0', 'chain', 0, { parent_run_id: null, inputs: {}, outputs: {}, feedback_stats: {} }),
      run('r1', 'llm', 1, {
        inputs: { messages: [[HUMAN]] },
        outputs: { generations: [[{ text: 'I have to look.', message: AI }]] },
      }),
      run('r2', 'tool', 2, {
        name: 'get_weather',
        inputs: { city: 'Oslo', unit: 'C' },
        outputs: { output: message('ToolMessage', { content: 'Rain.', tool_call_id: 'c1' }) },
      }),
      run('r3', 'llm', 3, {
        inputs: {
          messages: [[HUMAN, AI, message('ToolMessage', { content: 'Rain.', tool_call_id: 'c1' })]],
        },
        outputs: { generations: [[{ message: message('AIMessage', { content: 'It rains.' }) }]] },
      }),
    ]),
    outline: [
      `asked ${OBJECTIVE}`,
      ...STEPS,
      'recorded at 2026-01-02T03:04:01.000Z',
      'agent chain',
      'framework langsmith',
      'source {"trace_id":"r0"}',
      'step 1: c1',
      'step 2: c1',
    ],
  },
];
