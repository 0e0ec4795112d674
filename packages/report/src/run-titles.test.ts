import { describe, expect, it } from 'bun:test';
import { howItWent, nameWithoutObjective, sharedBeginnings, shortObjective } from './run-titles.ts';

describe('shortObjective', () => {
  it.each([
    ['Hi! I’d like to exchange a laptop. Can you help me with that?', 'Exchange a laptop'],
    ['Hi there! My phone shows no service. Can you help me fix it?', 'My phone shows no service'],
    ['Hello, I need help with my upcoming flight.', 'Help with my upcoming flight'],
    ['# Crash on start\n\nSteps:\n1. run it', 'Crash on start'],
    [
      'Solve this.\nISSUE:\nThe parser drops the last line\nof a file',
      'The parser drops the last line of a file',
    ],
    ['What is 2 + 2?', 'What is 2 + 2?'],
    ['Find why __test_due_date.py__ *fails*', 'Find why test_due_date.py fails'],
  ])('%p is %p', (objective, title) => {
    expect(shortObjective(objective)).toBe(title);
  });

  it('has no name for an objective without content', () => {
    expect(shortObjective('(no objective recorded)')).toBeUndefined();
    expect(shortObjective('   ')).toBeUndefined();
  });

  it('is never longer than a line', () => {
    for (const text of ['x'.repeat(100_000), 'word '.repeat(5000), '```\n'.repeat(1000)]) {
      expect(shortObjective(text)?.length ?? 0).toBeLessThanOrEqual(73);
    }
  });
});

describe('sharedBeginnings', () => {
  it('finds the template before different tasks, but none in greetings or copies', () => {
    const template = 'You are given a repository. Solve the issue that follows. ';
    const texts = [`${template}Fix the parser.`, `${template}Speed up the cache.`, 'Alone'];
    expect(sharedBeginnings(texts)).toEqual([template.length, template.length, 0]);
    expect(sharedBeginnings([texts[0] ?? '', texts[0] ?? ''])).toEqual([0, 0]);
    const greeting = 'Hi! I recently placed an order with you and something is wrong. ';
    expect(sharedBeginnings([`${greeting}Cancel it all.`, `${greeting}Return one.`])).toEqual([
      0, 0,
    ]);
  });
});

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
  });
});
