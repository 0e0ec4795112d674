import { describeShapes } from '../../../test/shapes.ts';

describeShapes('atif', [
  [
    'several trajectories, with results, references and subagents',
    {
      first: {
        schema_version: 'ATIF-v1.4',
        session_id: 's',
        agent: { name: 'a', model_name: 'm' },
        subagent_trajectories: [
          {
            schema_version: 'ATIF-v1.4',
            trajectory_id: 't',
            steps: [{ source: 'agent', message: 'Within.', timestamp: '2026-01-02T03:04:05Z' }],
          },
        ],
        steps: [
          {
            source: 'system',
            message: 'x',
            observation: {
              results: [
                { subagent_trajectory_ref: [] },
                { subagent_trajectory_ref: [], source_call_id: 'c' },
                { content: 'seen', subagent_trajectory_ref: [] },
              ],
            },
          },
          { source: 'user', message: 'Go.' },
          {
            source: 'agent',
            reasoning_content: 'Why.',
            message: 'Look.',
            tool_calls: [{ function_name: 'f', arguments: {}, tool_call_id: 'c' }],
            observation: { results: [{ source_call_id: 'c', content: 'found' }] },
          },
        ],
      },
      second: { schema_version: 'ATIF-v1.4', steps: 'none' },
      third: { schema_version: 'ATIF-v1.4', steps: [{ source: 'other' }] },
      fourth: { schema_version: 'ATIF-v1.4', steps: ['none'] },
    },
    [
      'asked Go.',
      'observation ',
      'observation seen',
      'thought Why.',
      'thought Look.',
      'tool_call f {}',
      'observation found',
      'agent a',
      'source {"session_id":"s"}',
      'model m',
      'omitted {"system_step":1,"subagent_reference":1}',
      'step 0: c, orphan',
      'step 4: c',
      'step 5: c',
      'asked (no objective recorded)',
      'thought Within.',
      'recorded at 2026-01-02T03:04:05.000Z',
      'source {"trajectory_id":"t"}',
      'error line 1: trajectories[2].steps: expected an array, received "none"',
      'error line 1: trajectories[3].steps[0].source: expected agent, user or system, received "other"',
      'error line 1: trajectories[4].steps[0]: expected a step, received "none"',
    ],
  ],
  [
    'a trial that timed out before the first step of the agent',
    {
      schema_version: 'ATIF-v1.4',
      session_id: 's',
      agent: { name: 'a' },
      extra: { exception_info: { exception_type: 'AgentTimeoutError', message: 'after 900 s' } },
      steps: [{ step_id: 1, source: 'user', message: 'Go.' }],
    },
    ['crashed AgentTimeoutError: after 900 s'],
  ],
  [
    'a trial without any information',
    { schema_version: 'ATIF-v1.4', steps: [{ step_id: 1, source: 'system', message: 'Be good.' }] },
    ['crashed no step of the agent'],
  ],
]);
