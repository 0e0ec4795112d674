import type { ImporterSample } from '../../importer/importer.ts';

const OBJECTIVE = 'What is the weather in Oslo?';
const ASKED = 'tool_call get_weather {"city":"Oslo"}';
const STEPS = ['thought I have to look.', ASKED, 'observation Rain.', 'thought It rains.'];
const at = (second: number): string => `2026-01-02T03:04:0${second}.000Z`;
const USER = { role: 'user', content: OBJECTIVE };
const ANSWER = {
  role: 'assistant',
  content: 'I have to look.',
  tool_calls: [{ id: 'c1', function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } }],
};
const observation = (
  id: string,
  type: string,
  name: string,
  second: number,
  fields: object,
): object => ({
  id,
  traceId: 'tr1',
  type,
  name,
  startTime: at(second),
  endTime: at(second),
  parentObservationId: null,
  level: 'DEFAULT',
  ...fields,
});
const OBSERVATIONS = [
  observation('o3', 'GENERATION', 'chat', 3, {
    input: [USER, ANSWER, { role: 'tool', tool_call_id: 'c1', content: 'Rain.' }],
    output: { role: 'assistant', content: 'It rains.' },
  }),
  observation('o1', 'GENERATION', 'chat', 1, { input: [USER], output: ANSWER, model: 'gpt' }),
];
const TOOL = observation('o2', 'TOOL', 'running tool', 2, {
  input: { city: 'Oslo' },
  output: 'Rain.',
  metadata: { attributes: { 'gen_ai.tool.name': 'get_weather', 'gen_ai.tool.call.id': 'c1' } },
});
const lines = (values: readonly unknown[]): string =>
  values.map((value) => JSON.stringify(value)).join('\n');

export const samples: readonly ImporterSample[] = [
  {
    name: 'a trace with its observations',
    text: JSON.stringify({
      trace: { id: 'tr1', projectId: 'p', timestamp: at(0), scores: [] },
      observations: [...OBSERVATIONS, TOOL],
    }),
    outline: [
      `asked ${OBJECTIVE}`,
      ...STEPS,
      'recorded at 2026-01-02T03:04:00.000Z',
      'framework langfuse',
      'source {"trace_id":"tr1"}',
      'model gpt',
      'step 1: c1',
      'step 2: c1',
    ],
  },
  {
    name: 'observations one per line, without a tool observation',
    text: lines(OBSERVATIONS),
    outline: [
      `asked ${OBJECTIVE}`,
      ...STEPS,
      'recorded at 2026-01-02T03:04:01.000Z',
      'framework langfuse',
      'source {"trace_id":"tr1"}',
      'model gpt',
      'step 1: c1',
      'step 2: c1',
    ],
  },
];
