import type { ImporterSample } from '../../importer/importer.ts';

export const samples: readonly ImporterSample[] = [
  {
    name: 'one run',
    text: JSON.stringify({
      task_id: 'task1_1',
      instruction: 'What is the MRN?',
      correct: true,
      history: [
        { role: 'user', content: 'You are an expert in FHIR.' },
        { role: 'agent', content: 'GET http://h/fhir/Patient?name=A' },
        { role: 'user', content: 'Here is the response: {}' },
        { role: 'agent', content: 'I think it is 1.' },
        { role: 'agent', content: 'POST http://h/fhir/Observation\n{"a":1}' },
        { role: 'user', content: 'POST request accepted' },
        { role: 'agent', content: 'FINISH(["1"])' },
      ],
    }),
    outline: [
      'asked What is the MRN?',
      'tool_call GET {"url":"http://h/fhir/Patient?name=A"}',
      'observation Here is the response: {}',
      'thought I think it is 1.',
      'tool_call POST {"url":"http://h/fhir/Observation","body":"{\\"a\\":1}"}',
      'observation POST request accepted',
      'tool_call FINISH {"answers":"[\\"1\\"]"}',
      'recorded true',
      'framework medagentbench',
      'source {"task_id":"task1_1"}',
      'verdict success',
      'task task1_1',
      'step 0: 1',
      'step 1: 1',
      'step 3: 4',
      'step 4: 4',
      'step 5: 6',
    ],
  },
];
