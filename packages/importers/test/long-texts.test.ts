import { describe, expect, it } from 'bun:test';
import { importOne } from './read.ts';

/** Long enough that a pattern with quadratic time takes minutes. */
const LENGTH = 300_000;
const TIMEOUT_MS = 60_000;
const long = (unit: string): string => unit.repeat(Math.floor(LENGTH / unit.length));

describe('a long text with many partial matches of a pattern', () => {
  it.each([
    ['blanks', long(' ')],
    ['empty lines', long('\n')],
    ['greetings', `Hello${long('!')}x`],
    ['unclosed reminders', long('<system-reminder>')],
    ['repeated lead-ins', `ISSUE:${long(' ISSUE:')}`],
    ['unclosed calls', long('<tool_call>')],
    ['a block of commands without an end', `\`\`\`bash${long('\n')}`],
    ['one long line of digits', long('1')],
  ])(
    'is read unchanged in every role: %s',
    async (_name, unit) => {
      const text = `the text\n${unit}\nand its end`;
      const call = { name: 'bash', arguments: JSON.stringify({ command: text }) };
      const messages = [
        { role: 'user', content: unit === unit.trim() ? unit : text },
        { role: 'assistant', content: text, tool_calls: [{ id: 'a', function: call }] },
        { role: 'tool', tool_call_id: 'a', content: text },
        { role: 'user', content: text },
      ];
      const { trace } = await importOne({ messages });
      expect(trace.steps.map(({ type }) => type)).toEqual([
        ...(['thought', 'tool_call', 'observation', 'observation'] as const),
      ]);
      const conversations = [
        { from: 'human', value: text },
        { from: 'gpt', value: text },
        { from: 'tool', value: text },
      ];
      expect((await importOne({ conversations })).trace.steps).toHaveLength(2);
      const said = [
        { role: 'user', content: 'Go.' },
        { role: 'assistant', content: text },
      ];
      const old = { trajectory_format: 'mini-swe-agent-1', messages: said };
      expect((await importOne(old)).trace.steps).toHaveLength(1);
    },
    TIMEOUT_MS,
  );
});
