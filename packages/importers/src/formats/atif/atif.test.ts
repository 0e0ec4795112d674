import { describe, expect, it } from 'bun:test';
import { describeImporterContract } from '../../../test/contract.ts';
import { importAll, importOne, sketch } from '../../../test/read.ts';
import { describeRecordings } from '../../../test/recordings.ts';
import { tallyOf } from '../../../test/tally.ts';

const CHILD = {
  schema_version: 'ATIF-v1.7',
  trajectory_id: 'child',
  agent: { name: 'researcher', version: '1' },
  steps: [
    { step_id: 1, source: 'user', message: 'Read the page.' },
    { step_id: 2, source: 'agent', message: 'It is empty.' },
  ],
};

const RUN = {
  schema_version: 'ATIF-v1.7',
  session_id: 'run-1',
  trajectory_id: 'parent',
  agent: { name: 'orchestrator', version: '1' },
  steps: [
    { step_id: 1, source: 'system', message: 'Be brief.' },
    {
      step_id: 2,
      timestamp: '2026-04-20T10:00:00Z',
      source: 'user',
      message: [
        { type: 'text', text: 'What is this?' },
        { type: 'image', source: {} },
      ],
    },
    {
      step_id: 3,
      source: 'agent',
      reasoning_content: 'Two tools.',
      message: 'I look.',
      tool_calls: [
        { tool_call_id: 'a', function_name: 'see', arguments: { url: 'x' } },
        { tool_call_id: 'b', function_name: 'read', arguments: {} },
      ],
      observation: {
        results: [
          { source_call_id: 'a', content: [{ type: 'text', text: 'dice' }] },
          { source_call_id: 'b' },
        ],
      },
    },
    {
      step_id: 4,
      source: 'system',
      message: 'Handoff.',
      observation: { results: [{ subagent_trajectory_ref: [{ trajectory_id: 'child' }] }] },
    },
    { step_id: 5, source: 'user', message: 'Well?' },
    { step_id: 6, source: 'agent', message: 'Dice.' },
  ],
};

describeImporterContract('atif', [
  { name: 'a trajectory', text: JSON.stringify(RUN, null, 2), runs: 1 },
  {
    name: 'one with its subagent',
    text: JSON.stringify({ ...RUN, subagent_trajectories: [CHILD] }),
    runs: 2,
  },
  { name: 'an object of several', text: JSON.stringify({ parent: RUN, child: CHILD }), runs: 2 },
]);

describe('atif', () => {
  it('reads reasoning, messages, parallel calls, their results and later user steps', async () => {
    const run = await importOne(RUN);
    expect(run.trace.task.objective).toBe('What is this?\n[image]');
    expect(sketch(run)).toEqual([
      'thought Two tools.',
      'thought I look.',
      'tool_call see {"url":"x"}',
      'tool_call read {}',
      'observation dice',
      'observation ',
      'observation Well?',
      'thought Dice.',
    ]);
    expect(run.provenance).toMatchObject({
      source: { session_id: 'run-1', trajectory_id: 'parent' },
      created_at: 'recorded',
      omitted: { system_step: 2, subagent_reference: 1, image: 1 },
    });
    expect(run.trace.metadata.agent_id).toBe('orchestrator');
  });

  it('names the invalid step and reads the other trajectories', async () => {
    const broken = { ...CHILD, steps: [{ step_id: 1, source: 'robot' }] };
    expect(await importAll(JSON.stringify({ a: broken, b: CHILD }))).toMatchObject([
      {
        error: {
          message:
            'line 1: trajectories[0].steps[0].source: expected agent, user or system, received "robot"',
        },
      },
      { kind: 'unlabelled' },
    ]);
  });
});

interface Step {
  source: string;
  message: unknown;
  reasoning_content?: string;
  tool_calls?: { function_name: string }[];
  observation?: { results: { content?: unknown; source_call_id?: string }[] };
}
interface Trajectory {
  schema_version?: string;
  steps: Step[];
  subagent_trajectories?: Trajectory[];
}

describeRecordings('atif', /\.json$/, (path) => {
  it('has the same runs, steps and tools as an independent count', async () => {
    const file = await Bun.file(path).text();
    const parsed = JSON.parse(file) as Trajectory | Record<string, Trajectory>;
    const outer =
      'schema_version' in parsed
        ? [parsed as Trajectory]
        : Object.values(parsed as Record<string, Trajectory>);
    const runs = outer.flatMap((run) => [run, ...(run.subagent_trajectories ?? [])]);
    const steps = runs.flatMap((run) => run.steps);
    const own = steps.filter(({ source }) => source === 'agent');
    const calls = own.flatMap(({ tool_calls }) => tool_calls ?? []);
    const results = steps.flatMap(({ observation }) => observation?.results ?? []);
    expect(tallyOf(await importAll(file))).toEqual({
      runs: runs.length,
      successes: 0,
      thoughts:
        own.filter(({ message }) => message).length +
        own.filter((step) => step.reasoning_content).length,
      calls: calls.length,
      results: results.filter((result) => result.content !== undefined || result.source_call_id)
        .length,
      userTurns: steps.filter(({ source }) => source === 'user').length - runs.length,
      errors: 0,
      tools: [...new Set(calls.map((call) => call.function_name))].sort(),
    });
  });
});
