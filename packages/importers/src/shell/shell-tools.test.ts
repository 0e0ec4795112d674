import { describe, expect, it } from 'bun:test';
import { importOne } from '../../test/read.ts';

const named = async (command: string, name = 'bash'): Promise<string | undefined> => {
  const call = { id: 'c', function: { name, arguments: JSON.stringify({ command }) } };
  const messages = [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: null, tool_calls: [call] },
  ];
  const { trace } = await importOne({ messages }, { shellTools: 'by_command' });
  return trace.steps[0]?.tool?.name;
};

describe('tools of a shell', () => {
  it.each([
    ['grep -rn TODO src | head', 'bash: grep'],
    ['cd /repo && python -m pytest', 'bash: python'],
    ['# look\ncd /repo; FOO=1 /usr/bin/env python3 x.py', 'bash: python3'],
    ['timeout -k 5 30 sudo make', 'bash: make'],
    ['"./run tests.sh"', 'bash: run'],
    ['(ls)', 'bash: ls'],
    ['C:\\Python312\\python.exe x.py', 'bash: python.exe'],
    ['', 'bash'],
    ['cd a; cd b && ls', 'bash: ls'],
    ['cd a\nls', 'bash: ls'],
    ['  ls', 'bash: ls'],
    ['export A=1 && ls', 'bash: ls'],
    ['export A=1; ls', 'bash: ls'],
    ['A=1 B= ls', 'bash: ls'],
    ['sudo time nohup exec ls', 'bash: ls'],
    ['env A=1 ls', 'bash: ls'],
    ['timeout 5 ls', 'bash: ls'],
    ['timeout -s KILL --foreground 5m ls', 'bash: ls'],
    ['set -e; ls', 'bash: ls'],
    ['set -ex && ls', 'bash: ls'],
    ['set -o\nls', 'bash: ls'],
    // What only looks like it is the program itself.
    ['sudoku', 'bash: sudoku'],
    ['echo cd a && ls', 'bash: echo'],
    ['set', 'bash: set'],
  ])('are called after the program where asked: %j', async (command, name) => {
    expect(await named(command)).toBe(name);
  });

  it('are no other tools', async () => {
    expect(await named('view', 'editor')).toBe('editor');
  });
});
