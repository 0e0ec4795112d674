import { describe, expect, it } from 'bun:test';
import { howItWent, NAMELESS_TOOL, nameWithoutObjective } from './run-titles.ts';

describe('howItWent', () => {
  const steps = { kinds: 'tcoco', tools: [-1, 0, -1, 1, -1], errors: [2], derived: [] };
  it('names the tool of the last error, or the last tool', () => {
    const tools = ['search', 'book'];
    expect(howItWent({ steps, success: false }, tools)).toBe('5 steps, failed at search');
    const calm = { ...steps, errors: [] };
    expect(howItWent({ steps: calm, success: false }, tools)).toBe('5 steps, failed after book');
    expect(howItWent({ steps, success: true }, tools)).toBe('5 steps, succeeded');
    expect(howItWent({ steps, success: null }, tools)).toBe('5 steps');
  });
});

describe('nameWithoutObjective', () => {
  it('is the task, or the domain and the tools', () => {
    const steps = { kinds: 'cc', tools: [0, 1], errors: [], derived: [] };
    expect(nameWithoutObjective({ task: 'airline/12', steps }, [])).toBe('Task airline/12');
    const run = { task: undefined, domain: 'code', steps };
    expect(nameWithoutObjective(run, ['bash', 'edit'])).toBe('Code run with bash, edit');
    expect(nameWithoutObjective(run, [NAMELESS_TOOL, 'bash'])).toBe('Code run with bash');
    expect(nameWithoutObjective(run, [NAMELESS_TOOL])).toBe('Code run without tools');
    expect(nameWithoutObjective({ ...run, task: 'task4_3' }, [])).toBe('Task4_3');
    const task = '08c0b6e9-1b43-4c2e-ae55-4e3fce2c27ab';
    expect(nameWithoutObjective({ ...run, task }, ['bash'])).toBe(
      'Code run with bash (task 08c0b6e9)',
    );
  });
});
