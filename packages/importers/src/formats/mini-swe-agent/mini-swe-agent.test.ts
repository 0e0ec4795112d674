import { describe, expect, it } from 'bun:test';
import { describeImporterContract } from '../../../test/contract.ts';
import { importAll, importOne, sketch } from '../../../test/read.ts';
import { describeRecordings, parseLines } from '../../../test/recordings.ts';
import { errorsInText, tallyOf } from '../../../test/tally.ts';

const call = (id: string, command: string) => ({
  role: 'assistant',
  tool_calls: [
    { id, type: 'function', function: { name: 'bash', arguments: JSON.stringify({ command }) } },
  ],
  extra: { actions: [{ command, tool_call_id: id }], timestamp: 1775784986.6786294 },
});

const RUN = {
  info: {
    exit_status: 'Submitted',
    submission: 'diff --git a/x b/x',
    config: { model: { model_name: 'deepseek/deepseek-chat' } },
  },
  instance_id: 'acme__acme-12',
  trajectory_format: 'mini-swe-agent-1.1',
  messages: [
    { role: 'system', content: 'You have a shell.' },
    {
      role: 'user',
      content:
        '<pr_description>\nConsider the following PR description:\nFix x.\n</pr_description>\n\n<instructions>Many.</instructions>',
    },
    { ...call('1', 'pytest'), content: 'I run the tests.' },
    {
      role: 'tool',
      tool_call_id: '1',
      content: '<returncode>1</returncode>\n<output>1 failed</output>',
      extra: { returncode: 1, exception_info: '' },
    },
    { ...call('2', 'sed -i s/a/b/ x'), content: '', reasoning_content: 'It is x.' },
    {
      role: 'tool',
      tool_call_id: '2',
      content: '<returncode>0</returncode>\n<output>\n</output>',
      extra: { returncode: 0, exception_info: '' },
    },
    { role: 'exit', content: 'diff --git a/x b/x', extra: { exit_status: 'Submitted' } },
  ],
};

const FIRST_VERSION = {
  info: { exit_status: 'Submitted' },
  instance_id: 'acme__acme-13',
  trajectory_format: 'mini-swe-agent-1',
  messages: [
    { role: 'system', content: 'You have a shell.' },
    { role: 'user', content: 'Fix y.' },
    { role: 'assistant', content: 'THOUGHT: look\n\n```bash\nls\ncat y\n```' },
    { role: 'user', content: '<returncode>2</returncode>\n<output>no y</output>' },
    { role: 'assistant', content: 'THOUGHT: done' },
  ],
};

describeImporterContract('mini-swe-agent', [
  {
    name: 'a line a run',
    text: `${JSON.stringify(RUN)}\n${JSON.stringify(FIRST_VERSION)}\n`,
    runs: 2,
  },
  { name: 'one file a run', text: JSON.stringify(RUN, null, 2), runs: 1 },
]);

describe('mini-swe-agent', () => {
  it('reads thoughts, commands, their output and exit codes', async () => {
    const run = await importOne(RUN);
    expect(run.trace.task.objective).toBe('Fix x.');
    expect(sketch(run)).toEqual([
      'thought I run the tests.',
      'tool_call bash {"command":"pytest"}',
      'observation <returncode>1</returncode>\n<output>1 failed</output>',
      'thought It is x.',
      'tool_call bash {"command":"sed -i s/a/b/ x"}',
      'observation <returncode>0</returncode>\n<output>\n</output>',
    ]);
    expect(run.trace.steps[2]?.['kp:source']).toEqual({ call_id: '1', error: 'exit_code' });
    expect(run.provenance).toMatchObject({
      source: { instance_id: 'acme__acme-12' },
      success: 'assumed',
      created_at: 'recorded',
      omitted: { exit_message: 1 },
    });
    expect(run.trace.metadata.created_at).toBe('2026-04-10T01:36:26.678Z');
    expect(run.trace.metadata.agent_id).toBe('deepseek/deepseek-chat');
    expect(run.trace.outcome.result_summary).toBe('diff --git a/x b/x');
  });

  it('reads commands in the text, as in the first versions', async () => {
    const run = await importOne(FIRST_VERSION);
    expect(sketch(run)).toEqual([
      'thought THOUGHT: look\n\n```bash\nls\ncat y\n```',
      'tool_call bash {"command":"ls\\ncat y"}',
      'observation <returncode>2</returncode>\n<output>no y</output>',
      'thought THOUGHT: done',
    ]);
    expect(run.trace.steps[2]?.['kp:source']).toEqual({ error: 'exit_code' });
  });

  it('reads success from labels by instance', async () => {
    const labels = new Map([['acme__acme-12', { success: true }]]);
    const run = await importOne(RUN, { labels });
    expect(run.trace.metadata.success).toBe(true);
    expect(run.provenance?.success).toBe('labelled');
  });
});

interface Run {
  messages: {
    role: string;
    content: string;
    tool_calls?: { function: { name: string } }[];
    extra?: { returncode?: number };
  }[];
}

describeRecordings('mini-swe-agent', /\.gz$/, (path) => {
  it('has the same runs, steps, tools and errors as an independent count', async () => {
    const packed = await Bun.file(path).bytes();
    const runs = parseLines(new TextDecoder().decode(Bun.gunzipSync(packed))) as Run[];
    const messages = runs.flatMap((run) => run.messages);
    const calls = messages.flatMap(({ tool_calls }) => tool_calls ?? []);
    const items = await importAll(packed);
    const found = tallyOf(items);
    found.errors -= errorsInText(items);
    expect(found).toEqual({
      runs: runs.length,
      successes: 0,
      thoughts: messages.filter(({ role, content }) => role === 'assistant' && content.trim())
        .length,
      calls: calls.length,
      results: messages.filter(({ role }) => role === 'tool').length,
      userTurns: messages.filter(({ role }) => role === 'user').length - runs.length,
      errors: messages.filter(({ extra }) => (extra?.returncode ?? 0) !== 0).length,
      tools: ['bash'],
    });
  });
});
