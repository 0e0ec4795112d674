import { expect, it } from 'bun:test';
import { createTrace } from '@knowledgepulse/sdk';
import { wasteLines } from './waste-lines.ts';

const grep = { type: 'tool_call', tool: { name: 'grep' }, input: { pattern: 'x' } } as const;

it('lists loops, repeats and calls after the last change with their steps', () => {
  const trace = createTrace({
    objective: 'Fix it',
    success: false,
    confidence: 0.5,
    steps: [
      grep,
      { type: 'observation', content: 'nothing found' },
      grep,
      { type: 'observation', content: 'nothing found' },
      grep,
      { type: 'tool_call', tool: { name: 'edit' }, input: { old: 'a', new: 'b', path: 'f.ts' } },
      { type: 'tool_call', tool: { name: 'ls' }, input: {} },
    ],
  });
  expect(wasteLines(trace)).toEqual([
    'loop: steps 0, 2, 4 make the same call',
    'repeated result: steps 1, 3 have the same result',
    'last change: step 5, and 1 call after it',
  ]);
});

it('abbreviates long lists and returns nothing without findings', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const steps = [1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap(() =>
    names.map((name) => ({ type: 'tool_call' as const, tool: { name }, input: {} })),
  );
  const run = { objective: 'Do it', success: true, confidence: 1 };
  const lines = wasteLines(createTrace({ ...run, steps }));
  expect(lines).toHaveLength(5);
  expect(lines[0]).toBe('loop: steps 0, 6, 12, 18, 24, 30, 36, 42 and 1 more make the same call');
  expect(lines[4]).toBe('loop: 2 more');
  expect(wasteLines(createTrace({ ...run, steps: [{ type: 'thought', content: 'Hm' }] }))).toEqual(
    [],
  );
});
