import { describe, expect, it } from 'bun:test';
import fc from 'fast-check';
import { traceOf } from '../../test/traces.ts';
import { type AgreementRun, agreement, createAgreementReader, finalAnswer } from './agreement.ts';

/** A run that ends with a text and a call. */
function runOf(task: string | undefined, agent: string, said: string, given = ''): AgreementRun {
  const call = { type: 'tool_call', tool: { name: 'answer' }, input: { value: given } };
  const trace = traceOf('Do it', [{ content: 'earlier words' }, call, { content: said }]);
  return { trace, task, agent };
}

describe('agreement', () => {
  it("is the mean similarity to other runs of the task minus the agent's mean", () => {
    // Each run has one word: copies have similarity 1, others 0, so the means are 1/2, 1/2 and 0.
    const runs = [runOf('t', 'x', 'apple'), runOf('t', 'y', 'apple'), runOf('t', 'y', 'pear')];
    // The mean of agent y is 1/4. The only run of agent x has no other to compare its mean with.
    const values = [undefined, 0.25, -0.25];
    expect(agreement(runs)).toEqual({ values, runs: 2, tasks: 1, agents: 1 });
    const more = [...runs, ...['x', 'z', 'z'].map((agent) => runOf('u', agent, 'fig'))];
    // In the task u, all means are 1, so that the mean of x is 3/4.
    expect(agreement(more)).toEqual({
      values: [-0.25, 0.25, -0.25, 0.25, 0, 0],
      runs: 6,
      tasks: 2,
      agents: 3,
    });
  });

  it('reads the last message and the values of the last call', () => {
    const runs = [
      runOf('t', 'x', 'done', 'apple'),
      runOf('t', 'y', 'done', 'apple'),
      runOf('t', 'y', 'done', 'pear'),
    ];
    const { values } = agreement(runs);
    expect(values[1]).toBeGreaterThan(values[2] ?? 0);
    // The last message of a user or a tool is not the agent's.
    const more = runs.map(({ trace, ...run }, at) => {
      const steps = [...trace.steps];
      steps.push({ step_id: 9, type: 'observation', content: `thanks ${at}` });
      return { ...run, trace: { ...trace, steps } };
    });
    expect(agreement(more).values).toEqual(values);
  });

  it('uses the result of a run without messages', () => {
    const runs = ['apple', 'apple', 'pear'].map((result_summary, at) => {
      const outcome = { result_summary, confidence: 0.5 };
      return { trace: { ...traceOf('Do it'), outcome }, task: 't', agent: at === 0 ? 'x' : 'y' };
    });
    expect(agreement(runs).values).toEqual([undefined, 0.25, -0.25]);
  });

  it('accepts answers in place of runs', () => {
    const runs = [runOf('t', 'x', 'done', 'apple'), runOf('t', 'y', 'ok'), runOf('t', 'y', 'done')];
    const reader = createAgreementReader();
    for (const { trace, ...run } of runs) reader.addAnswer({ ...run, answer: finalAnswer(trace) });
    expect(finalAnswer(runs[0]?.trace as AgreementRun['trace'])).toBe('done\napple');
    expect(reader.agreement()).toEqual(agreement(runs));
  });

  it('accepts tasks at the end if they are known only then', () => {
    const runs = ['apple', 'apple', 'pear', 'apple'].map((said, at) =>
      runOf('0', at % 2 === 0 ? 'x' : 'y', said),
    );
    const reader = createAgreementReader();
    for (const run of runs) reader.add(run);
    const tasks = ['a/0', 'a/0', 'a/0', undefined];
    const { values, runs: compared } = reader.agreement(tasks);
    expect(compared).toBe(2);
    const renamed = runs.map((run, at) => ({ ...run, task: tasks[at] }));
    expect(values).toEqual(agreement(renamed).values);
    expect(() => reader.agreement(['a/0'])).toThrow('tasks: expected 4 entries, one per run');
  });

  it('omits runs without a task, tasks with too few runs or agents, and the only run of an agent', () => {
    const runs = [
      runOf(undefined, 'x', 'apple'),
      ...['x', 'y', 'y'].map((agent) => runOf('enough', agent, 'apple')),
      ...['x', 'y'].map((agent) => runOf('two runs', agent, 'apple')),
      ...['x', 'x', 'x'].map((agent) => runOf('one agent', agent, 'apple')),
    ];
    const { values, ...counts } = agreement(runs);
    expect(counts).toEqual({ runs: 2, tasks: 1, agents: 1 });
    expect(values.map((value) => value !== undefined)).toEqual(
      runs.map(({ task, agent }) => task === 'enough' && agent === 'y'),
    );
  });

  it.each([
    [[], '0 runs without the names of their tasks'],
    [[runOf(undefined, 'x', 'a')], '1 runs without the names of their tasks'],
    [
      [runOf('t', 'x', 'a'), runOf('t', 'x', 'b'), runOf('t', 'x', 'c'), runOf('u', 'y', 'd')],
      '2 tasks with at most 3 runs and 1 agents each',
    ],
    [
      [runOf('t', 'x', 'a'), runOf('t', 'y', 'a'), runOf('t', 'z', 'b')],
      '3 agents with 1 such run each',
    ],
  ])('rejects %#', (runs, received) => {
    expect(() => agreement(runs)).toThrow(
      expect.objectContaining({ code: 'AGREEMENT_UNAVAILABLE', received }),
    );
  });

  it('does not depend on the order of the runs and has mean 0 for every agent', () => {
    const row = fc.record({
      task: fc.constantFrom('s', 't', undefined),
      agent: fc.constantFrom('x', 'y', 'constructor'),
      said: fc.array(fc.constantFrom('apple', 'pear', 'plum'), { maxLength: 4 }),
    });
    const enough = ['x', 'y', 'y'].map((agent) => ({ task: 's', agent, said: ['fig'] }));
    const rows = fc.array(row, { maxLength: 12 }).chain((some) => {
      const all = [...some, ...enough];
      const order = fc.shuffledSubarray([...all.keys()], { minLength: all.length });
      return fc.tuple(fc.constant(all), order);
    });
    fc.assert(
      fc.property(rows, ([all, order]) => {
        const runs = all.map(({ task, agent, said }) => runOf(task, agent, said.join(' ')));
        const { values } = agreement(runs);
        expect(agreement(order.map((run) => runs[run])).values).toEqual(
          order.map((run) => values[run]),
        );
        for (const agent of ['x', 'y', 'constructor']) {
          const own = values.filter((_, run) => all[run].agent === agent);
          const sum = own.reduce<number>((total, value) => total + (value ?? 0), 0);
          expect(sum).toBeCloseTo(0, 9);
        }
      }),
    );
  });
});
