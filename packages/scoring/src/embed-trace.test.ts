import { expect, it } from 'bun:test';
import { traceWith } from '../test/traces.ts';
import { embeddedText, traceText } from './embed-trace.ts';

const trace = traceWith({
  objective: 'goal',
  steps: [
    { step_id: 0, type: 'thought', content: 'one' },
    { step_id: 1, type: 'tool_call', tool: { name: 'x' }, output_summary: 'not this' },
    { step_id: 2, type: 'observation', content: '' },
    { step_id: 3, type: 'observation', content: 'two\nlines' },
  ],
});

it('is the objective and the contents, joined by one space', () => {
  expect(traceText(trace)).toBe('goal one two\nlines');
});

it('says where the content of each step begins', () => {
  const { text, boundaries } = embeddedText(trace.task.objective, trace.steps);
  expect(boundaries.map((index) => text.slice(index, index + 3))).toEqual(['one', 'two']);
});
