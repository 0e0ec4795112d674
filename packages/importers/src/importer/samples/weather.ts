import type { JsonObject } from '../../json/json-value.ts';

/** What samples of several formats record: a question, one call of a tool, and the answer. */
export const OBJECTIVE = 'What is the weather in Oslo?';

/** The outline of the steps. */
export const STEPS: readonly string[] = [
  'thought I have to look.',
  'tool_call get_weather {"city":"Oslo"}',
  'observation Rain.',
  'thought It rains.',
];

/** The call as an item of the Responses API. */
export const CALL = {
  type: 'function_call',
  id: 'fc_1',
  call_id: 'call_1',
  name: 'get_weather',
  arguments: '{"city":"Oslo"}',
};

/** The run as items of the Responses API. */
export const ITEMS: readonly JsonObject[] = [
  { role: 'user', content: 'What is the weather in Oslo?' },
  { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'I have to look.' }] },
  CALL,
  { type: 'function_call_output', call_id: 'call_1', output: 'Rain.' },
  {
    type: 'message',
    id: 'msg_1',
    role: 'assistant',
    content: [{ type: 'output_text', text: 'It rains.', annotations: [] }],
  },
];

/** The run as contents of Gemini. */
export const CONTENTS: readonly JsonObject[] = [
  { role: 'user', parts: [{ text: OBJECTIVE }] },
  {
    role: 'model',
    parts: [
      { text: 'I have to look.', thought: true },
      { functionCall: { name: 'get_weather', args: { city: 'Oslo' } } },
    ],
  },
  {
    role: 'user',
    parts: [{ functionResponse: { name: 'get_weather', response: { output: 'Rain.' } } }],
  },
  { role: 'model', parts: [{ text: 'It rains.' }] },
];
