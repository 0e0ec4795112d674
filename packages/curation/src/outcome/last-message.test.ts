import { expect, it } from 'bun:test';
import { traceOf } from '../../test/traces.ts';
import { lastMessage } from './last-message.ts';

it('is the last step of the agent without a tool', () => {
  const steps = [
    { content: 'First.' },
    { content: 'Last.' },
    { type: 'tool_call', tool: { name: 'ls' }, content: 'a call' },
    { type: 'observation', content: 'a result' },
  ];
  expect(lastMessage(traceOf('Do it', steps))).toBe('Last.');
});

it('is the summary of the result if the agent said nothing', () => {
  const trace = traceOf('Do it', [{ type: 'observation', content: 'a result' }]);
  const outcome = { ...trace.outcome, result_summary: 'Done.' };
  expect(lastMessage({ ...trace, outcome })).toBe('Done.');
});
