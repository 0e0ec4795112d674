import { describe, expect, it } from 'bun:test';
import { describeImporterContract } from '../../../test/contract.ts';
import { importAll, importOne, sketch } from '../../../test/read.ts';
import { describeRecordings } from '../../../test/recordings.ts';
import { tallyOf } from '../../../test/tally.ts';

const HISTORY = [
  { role: 'system', content: 'SETTING', agent: 'main' },
  { role: 'user', content: 'A demonstration of another task.', agent: 'main', is_demo: true },
  { role: 'user', content: [{ type: 'text', text: 'ISSUE: x is broken' }], agent: 'main' },
];

const RUN = {
  environment: 'main',
  trajectory: [
    {
      thought: 'I look.',
      action: 'open src/x.py 10\n',
      observation: '[File: x.py]',
      response: 'I look.',
      execution_time: 0.25,
    },
    {
      thought: '',
      action: 'edit 1:2\nx = 1\nend_of_edit',
      observation: 'Your proposed edit has introduced new syntax error(s).',
    },
    { thought: 'Again.', action: 'python x.py', observation: '\nEXECUTION TIMED OUT' },
    { thought: 'I give up.', action: '', observation: '' },
  ],
  history: HISTORY,
  info: { exit_status: 'submitted', submission: 'diff' },
  replay_config: '{"problem_statement":{"id":"acme-1","text":"x"}}',
};

const DEMONSTRATION = {
  history: [
    ...HISTORY,
    {
      role: 'assistant',
      content: 'Hm.\n```\nls\n```',
      thought: 'Hm.',
      action: 'ls',
      agent: 'main',
      tool_calls: [{ id: 'c1' }],
    },
    { role: 'tool', content: 'x.py', agent: 'main', tool_call_ids: ['c1'] },
  ],
};

describeImporterContract('swe-agent', [
  { name: 'a trajectory', text: JSON.stringify(RUN, null, 2), runs: 1 },
  { name: 'a demonstration', text: JSON.stringify(DEMONSTRATION), runs: 1 },
]);

describe('swe-agent', () => {
  it('reads thoughts, its own commands, shell commands and observations', async () => {
    const run = await importOne(RUN);
    expect(run.trace.task.objective).toBe('x is broken');
    expect(sketch(run)).toEqual([
      'thought I look.',
      'tool_call open {"command":"open src/x.py 10\\n"}',
      'observation [File: x.py]',
      'tool_call edit {"command":"edit 1:2\\nx = 1\\nend_of_edit"}',
      'observation Your proposed edit has introduced new syntax error(s).',
      'error_recovery Again.',
      'tool_call bash {"command":"python x.py"}',
      'observation \nEXECUTION TIMED OUT',
      'error_recovery I give up.',
      'observation ',
    ]);
    expect(run.provenance).toMatchObject({ source: { problem_id: 'acme-1' }, success: 'assumed' });
    expect(run.trace.steps[1]?.latency_ms).toBe(250);
    expect(run.trace.outcome.result_summary).toBe('diff');
    for (const [execution_time, latency] of [
      [0, 0],
      [-1, undefined],
      ['2', undefined],
    ]) {
      const [step] = RUN.trajectory;
      const timed = await importOne({ ...RUN, trajectory: [{ ...step, execution_time }] });
      expect(timed.trace.steps[1]?.latency_ms).toBe(latency as never);
    }
    expect(run.provenance).toMatchObject({ shell_tools: 'one' });
    const named = await importOne(RUN, { shellTools: 'by_command' });
    expect(named.trace.steps.flatMap(({ tool }) => tool?.name ?? [])).toEqual([
      'open',
      'edit',
      'bash: python',
    ]);
    expect(named.provenance).toMatchObject({ shell_tools: 'by_command' });
    expect(named.trace.id).toBe(run.trace.id);
  });

  it('reads a demonstration from its history', async () => {
    const run = await importOne(DEMONSTRATION);
    expect(run.trace.task.objective).toBe('x is broken');
    expect(sketch(run)).toEqual([
      'thought Hm.',
      'tool_call bash {"command":"ls"}',
      'observation x.py',
    ]);
    expect(run.trace.steps[2]?.['kp:source']).toEqual({ call_id: 'c1' });
  });

  it('derives success from the exit status with a rule of the caller', async () => {
    const success = ({ record }: { record: unknown }) =>
      (record as typeof RUN).info.exit_status === 'submitted';
    expect((await importOne(RUN, { success })).trace.metadata.success).toBe(true);
  });
});

/** Shell programs in these recordings. All other commands are SWE-agent's own. */
const PROGRAMS =
  /^(?:ls|cat|rm|cd|mv|strings|file|objdump|gdb|g\+\+|apt-get|pip|python3?|nc|tshark|RsaCtfTool\.py|\.\/\S+|chmod|echo|export)$/;

const toolOf = (word: string): string => (PROGRAMS.test(word) ? 'bash' : word);

interface Trajectory {
  trajectory?: { thought: string; action: string; observation: string }[];
  history: { role: string; thought?: string; action?: string }[];
}

describeRecordings('swe-agent', /\.traj$/, (path) => {
  it('has the same steps and tools as an independent count', async () => {
    const file = await Bun.file(path).text();
    const { trajectory, history } = JSON.parse(file) as Trajectory;
    const turns = trajectory ?? history.filter(({ role }) => role === 'assistant');
    const actions = turns
      .map(({ action }) => action?.trim() ?? '')
      .filter((action) => action !== '');
    const { errors, ...found } = tallyOf(await importAll(file));
    expect(found).toEqual({
      runs: 1,
      successes: 0,
      thoughts: turns.filter(({ thought }) => thought?.trim()).length,
      calls: actions.length,
      results: trajectory?.length ?? history.length - turns.length - 2,
      userTurns: 0,
      tools: [...new Set(actions.map((action) => toolOf(action.split(/\s/)[0] as string)))].sort(),
    });
    expect(errors).toBeLessThan(found.results);
  });
});
