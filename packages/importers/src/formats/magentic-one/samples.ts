import type { ImporterSample } from '../../importer/importer.ts';

const OBJECTIVE = 'What is the weather in Oslo?';

export const samples: readonly ImporterSample[] = [
  {
    name: 'a team',
    text: JSON.stringify([
      { role: 'human', content: OBJECTIVE },
      { role: 'Orchestrator (thought)', content: 'I have to look.' },
      { role: 'Orchestrator (-> WebSurfer)', content: 'Look.' },
      { role: 'WebSurfer', content: 'Rain.' },
    ]),
    outline: [
      `asked ${OBJECTIVE}`,
      'thought I have to look.',
      'thought Look.',
      'observation Rain.',
      'framework magentic-one',
      'source {}',
      'step 2: WebSurfer',
    ],
  },
];
