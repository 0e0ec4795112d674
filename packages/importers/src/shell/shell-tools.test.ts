import { describe, expect, it } from 'bun:test';
import { importOne } from '../../test/read.ts';

const named = async (command: string, name = 'bash'): Promise<string | undefined> =>
  (await called(name, { command })).trace.steps[0]?.tool?.name;

const called = async (name: string, input: object) => {
  const call = { id: 'c', function: { name, arguments: JSON.stringify(input) } };
  const messages = [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: null, tool_calls: [call] },
  ];
  return importOne({ messages }, { shellTools: 'by_command' });
};

describe('shell tools', () => {
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
    ['cd  a;  ls', 'bash: ls'],
    ['A=1 && ls', 'bash: ls'],
    ['A=1; ls', 'bash: ls'],
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
    // Text that only looks like a wrapper is the program itself.
    ['sudoku', 'bash: sudoku'],
    ['printenv PATH', 'bash: printenv'],
    ['/usr/bin/myenv ls', 'bash: myenv'],
    ['ls; cd b && pwd', 'bash: ls'],
    ['echo cd a && ls', 'bash: echo'],
    ['set', 'bash: set'],
  ])('are named after the program if requested: %j', async (command, name) => {
    expect(await named(command)).toBe(name);
  });

  it.each(['Bash', 'shell', 'terminal', 'console', 'exec', 'run_command', 'command_line'])(
    'are recognised by their name: %s',
    async (name) => {
      expect(await named('ls', name)).toBe(`${name}: ls`);
    },
  );

  it.each([{ cmd: 'ls a' }, { script: 'ls a' }, { command: ['ls', 'a'] }])(
    'accept a command as %j',
    async (input) => {
      expect((await called('shell', input)).trace.steps[0]?.tool?.name).toBe('shell: ls');
    },
  );

  it('exclude other tools and tools without a command', async () => {
    expect(await named('view', 'editor')).toBe('editor');
    for (const [name, input] of [
      ['editor', { command: 'view' }],
      ['bash', { timeout: 5 }],
      ['bash', { command: 5 }],
    ] as const) {
      const { trace, provenance } = await called(name, input);
      expect(trace.steps[0]?.tool?.name).toBe(name);
      expect(provenance?.shell_tools).toBeUndefined();
    }
  });
});
