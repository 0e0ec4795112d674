import { describe, expect, it } from 'bun:test';
import { describeImporterContract } from '../../../test/contract.ts';
import { importAll, importOne, sketch } from '../../../test/read.ts';
import { describeRecordings } from '../../../test/recordings.ts';
import { tallyOf } from '../../../test/tally.ts';

const call = (id: string, name: string, args: string) => ({
  id,
  type: 'function',
  function: { name, arguments: args },
});

const REFUND = {
  task_id: 7,
  trial: 1,
  reward: 1,
  info: { note: 'grader only' },
  traj: [
    { role: 'system', content: 'Be polite.' },
    { role: 'user', content: 'Refund order 12, please.' },
    { role: 'assistant', content: null, tool_calls: [call('c1', 'find_order', '{"id":12}')] },
    { role: 'tool', tool_call_id: 'c1', name: 'find_order', content: 'Error: order not found' },
    {
      role: 'assistant',
      content: 'Let me look it up by mail.',
      tool_calls: [call('c2', 'find_user', '{"mail":"a@b.c"}'), call('c3', 'list_orders', '{}')],
    },
    { role: 'tool', tool_call_id: 'c3', name: 'list_orders', content: '' },
    { role: 'tool', tool_call_id: 'c2', name: 'find_user', content: '{"user":1}' },
    { role: 'user', content: 'It is order 21!' },
    { role: 'assistant', content: 'Done.' },
  ],
};

describeImporterContract('openai-chat', [
  { name: 'tau-bench results', text: JSON.stringify([REFUND, { ...REFUND, trial: 2 }]), runs: 2 },
  { name: 'the same run twice', text: JSON.stringify([REFUND, REFUND], null, 1), runs: 2 },
  { name: 'one array of messages', text: JSON.stringify(REFUND.traj), runs: 1 },
  {
    name: 'messages[] a line',
    text: `{"messages":${JSON.stringify(REFUND.traj)}}\n`.repeat(3),
    runs: 3,
  },
  {
    name: 'one message a line',
    text: REFUND.traj.map((m) => JSON.stringify(m)).join('\n'),
    runs: 1,
  },
]);

describe('openai-chat', () => {
  it('reads thoughts, calls, results, later user turns and the recovery', async () => {
    const run = await importOne(REFUND);
    expect(run.trace.task.objective).toBe('Refund order 12, please.');
    expect(sketch(run)).toEqual([
      'tool_call find_order {"id":12}',
      'observation Error: order not found',
      'error_recovery Let me look it up by mail.',
      'tool_call find_user {"mail":"a@b.c"}',
      'tool_call list_orders {}',
      'observation ',
      'observation {"user":1}',
      'observation It is order 21!',
      'thought Done.',
    ]);
    expect(run.trace.steps[1]?.['kp:source']).toEqual({ call_id: 'c1', error: 'text' });
    expect(run.trace.steps[7]?.['kp:source']).toEqual({ role: 'user' });
    expect(run.provenance).toEqual({
      format: 'openai-chat',
      source: { task_id: 7, trial: 1 },
      success: 'recorded',
      verdict: 'reward',
      task: '7',
      setting: expect.stringMatching(/^[0-9a-f]{16}$/),
      confidence: 'assumed',
      domain: 'assumed',
      objective: 'recorded',
      created_at: 'unknown',
      derived: [
        {
          step_id: 2,
          field: 'type',
          value: 'error_recovery',
          recorded_as: 'thought',
          from: [1],
          signs: ['Error: order not found'],
        },
      ],
    });
    expect(run.trace.metadata).toMatchObject({
      success: true,
      task_domain: 'default',
      quality_score: 0,
    });
    expect(run.trace.outcome).toEqual({ result_summary: 'Done.', confidence: 0.5 });
    expect(run.trace.id).toMatch(/^kp:trace:openai-chat:7:1:[\da-f]{16}$/);
  });

  it('omits text that would reveal the outcome', async () => {
    const { trace } = await importOne(REFUND);
    expect(JSON.stringify([trace.task, trace.steps, trace.outcome])).not.toMatch(
      /grader|reward|Be polite/,
    );
  });

  it.each([
    ['{"a":', '{"a":'],
    ['[1]', '[1]'],
    ['ls -la', 'ls -la'],
  ])('keeps arguments that are not a JSON object: %s', async (args, content) => {
    const run = await importOne([
      { role: 'user', content: 'go' },
      { role: 'assistant', content: '', tool_calls: [call('c', 'run', args)] },
    ]);
    expect(run.trace.steps[0]).toMatchObject({ type: 'tool_call', tool: { name: 'run' }, content });
    expect(run.trace.steps[0]?.input).toBeUndefined();
  });

  it('marks a result without a call', async () => {
    const run = await importOne([
      { role: 'user', content: 'go' },
      { role: 'tool', tool_call_id: 'gone', content: 'x' },
      { role: 'assistant', content: 'ok' },
    ]);
    expect(run.trace.steps[0]?.['kp:source']).toEqual({ call_id: 'gone', orphan: true });
  });

  it('counts one recovery for the errors of parallel calls', async () => {
    const run = await importOne([
      { role: 'user', content: 'go' },
      { role: 'assistant', tool_calls: [call('a', 'x', '{}'), call('b', 'y', '{}')] },
      { role: 'tool', tool_call_id: 'a', content: 'Error: 1' },
      { role: 'tool', tool_call_id: 'b', content: 'Error: 2' },
      { role: 'user', content: 'hm' },
      { role: 'assistant', tool_calls: [call('c', 'z', '{}')] },
    ]);
    expect(sketch(run)).toEqual([
      'tool_call x {}',
      'tool_call y {}',
      'observation Error: 1',
      'observation Error: 2',
      'observation hm',
      'error_recovery z {}',
    ]);
    expect(run.provenance?.derived).toMatchObject([{ recorded_as: 'tool_call', from: [2, 3] }]);
  });

  it('replaces pictures by [image] and counts them', async () => {
    const run = await importOne([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is it?' },
          { type: 'image_url', image_url: { url: 'data:…' } },
        ],
      },
      { role: 'assistant', content: [{ type: 'text', text: 'A hedgehog.' }] },
    ]);
    expect(run.trace.task.objective).toBe('What is it?\n[image]');
    expect(sketch(run)).toEqual(['thought A hedgehog.']);
    expect(run.provenance?.omitted).toEqual({ image: 1 });
  });

  it('reads reasoning, refusals, greetings, custom tools and the older function_call', async () => {
    const run = await importOne({
      messages: [
        { role: 'assistant', content: 'Hello!' },
        { role: 'user', content: 'go' },
        { role: 'assistant', reasoning_content: 'Hm.', content: 'Well.' },
        { role: 'assistant', content: null, refusal: 'No.' },
        { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{"a":1}' } },
        { role: 'function', name: 'f', content: '2' },
        {
          role: 'assistant',
          tool_calls: [{ id: 'c', type: 'custom', custom: { name: 'sh', input: 'ls' } }],
        },
      ],
    });
    expect(run.trace.task.objective).toBe('go');
    expect(sketch(run)).toEqual([
      'thought Hello!',
      'thought Hm.',
      'thought Well.',
      'thought No.',
      'tool_call f {"a":1}',
      'observation 2',
      'tool_call sh ls',
    ]);
  });

  it('reads messages that each name a session', async () => {
    const lines = [
      { type: 'message', session_id: 's', role: 'user', content: 'Hi' },
      { type: 'message', session_id: 's', role: 'assistant', content: 'Hello.' },
    ];
    const items = await importAll(lines.map((line) => JSON.stringify(line)).join('\n'));
    expect(items).toMatchObject([{ format: 'openai-chat', trace: { task: { objective: 'Hi' } } }]);
  });

  it('appends the answer of a logged request to its messages', async () => {
    const messages = [{ role: 'user', content: 'Hi' }];
    const choices = [{ index: 0, message: { role: 'assistant', content: 'Hello.' } }];
    expect(sketch(await importOne({ request: { messages }, response: { choices } }))).toEqual([
      'thought Hello.',
    ]);
    expect(sketch(await importOne({ messages, choices }))).toEqual(['thought Hello.']);
  });

  it.each([
    [
      [{ role: 'user', content: 'hi' }],
      'line 1: run: expected at least one step of an agent, received a request without an answer',
    ],
    [
      {
        messages: [
          { role: 'user', content: 'a' },
          { role: 'assistant', tool_calls: [{ function: { name: 3 } }] },
        ],
      },
      'line 1: messages[1].tool_calls[0].function.name: expected the name of a tool, received 3',
    ],
  ])('describes the problem in %j', async (value, message) => {
    expect(await importAll(JSON.stringify(value))).toMatchObject([
      { kind: 'error', error: { message } },
    ]);
  });
});

interface TauRun {
  task_id: number;
  trial: number;
  reward: number;
  traj: { role: string; content: string | null; tool_calls?: { function: { name: string } }[] }[];
}

/** A message that only contains the end mark of the simulated user is not a step. */
const saysSomething = ({ content }: { content: string | null }) =>
  content?.replace('###STOP###', '').trim() !== '';

describeRecordings('openai-chat', /\.json$/, (path) => {
  it('has the same runs, steps, tools, errors and outcomes as an independent count', async () => {
    const file = await Bun.file(path).text();
    const runs = JSON.parse(file) as TauRun[];
    const messages = runs.flatMap(({ traj }) => traj);
    const of = (wanted: string) => messages.filter(({ role }) => role === wanted);
    const calls = messages.flatMap(({ tool_calls }) => tool_calls ?? []);
    const items = await importAll(file);
    expect(tallyOf(items)).toEqual({
      runs: runs.length,
      successes: runs.filter(({ reward }) => reward === 1).length,
      thoughts: of('assistant').filter(({ content }) => content).length,
      calls: calls.length,
      results: of('tool').length,
      userTurns: of('user').filter(saysSomething).length - runs.length,
      errors: of('tool').filter(({ content }) => content?.startsWith('Error:')).length,
      tools: [...new Set(calls.map((call) => call.function.name))].sort(),
    });
    const ids = items.map((item) => 'trace' in item && item.trace.id);
    expect(new Set(ids).size).toBe(runs.length);
  });
});
