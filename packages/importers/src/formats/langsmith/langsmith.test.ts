import { describe, expect, it } from 'bun:test';
import { importAll, importOne, sketch } from '../../../test/read.ts';

const model = {
  id: 'a',
  trace_id: 'a',
  run_type: 'llm',
  name: 'm',
  start_time: '2026-01-02T03:04:05',
  end_time: '2026-01-02T03:04:06',
  inputs: { messages: [{ role: 'user', content: 'Go.' }] },
  outputs: { message: { role: 'assistant', content: 'Gone.' } },
};

describe('langsmith', () => {
  it('keeps the recorded run, or the list of several runs', async () => {
    expect((await importOne(model)).record).toEqual(model);
    const child = { ...model, id: 'b', parent_run_id: 'a' };
    expect((await importOne([model, child])).record).toEqual([model, child]);
  });

  it.each([
    ['correctness', 1, true],
    ['success', 0, false],
    ['helpfulness', 1, undefined],
    ['correctness', 'much', undefined],
  ])('reads %s of %p as the verdict %p', async (key, avg, success) => {
    const [item] = await importAll(
      JSON.stringify({ ...model, feedback_stats: { [key]: { avg } } }),
    );
    expect(item?.kind === 'trace' ? item.trace.metadata.success : undefined).toBe(success);
  });

  it('uses the result in the next model input if a tool recorded none', async () => {
    const asked = {
      role: 'assistant',
      content: '',
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }],
    };
    const told = { role: 'tool', tool_call_id: 'c1', content: 'told' };
    const at = (second: number) => ({
      start_time: `2026-01-02T03:04:0${second}`,
      end_time: `2026-01-02T03:04:0${second + 1}`,
    });
    const runs = [
      { ...model, id: 'root', trace_id: 'root', run_type: 'chain', inputs: {}, outputs: {} },
      { ...model, ...at(0), outputs: { message: asked } },
      { id: 'b', run_type: 'tool', name: 'f', ...at(2), inputs: { input: '{}' }, outputs: null },
      {
        ...model,
        ...at(4),
        id: 'c',
        inputs: { messages: [...model.inputs.messages, asked, told] },
      },
    ].map((run) => (run.id === 'root' ? run : { ...run, trace_id: 'root', parent_run_id: 'root' }));
    const run = await importOne(runs);
    expect(sketch(run)).toEqual(['tool_call f {}', 'observation told', 'thought Gone.']);
  });
});
