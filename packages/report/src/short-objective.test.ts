import { describe, expect, it } from 'bun:test';
import { sharedBeginnings, shortObjective } from './short-objective.ts';

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
    ['What is 2*3 * 4, f(a) -> b?', 'What is 2*3 * 4, f(a) -> b?'],
    ['pandas>=1.0 breaks __init__.py\n\n1. a\n2. b', 'pandas>=1.0 breaks __init__.py'],
    ['注文した商品を返品したいです。手順を教えて。', '注文した商品を返品したいです'],
    ['from_json fails on empty input', 'from_json fails on empty input'],
    ['which U.S. city is oldest?', 'Which U.S. city is oldest?'],
    [
      'When was St. Paul (born H. Smith) first named? Say when.',
      'When was St. Paul (born H. Smith) first named?',
    ],
    ['Examine https://www.youtube.com/watch?v=x. What is said?', 'Examine youtube.com'],
    ['I got a camera. I want to exchange it for a lamp.', 'I got a camera'],
    ['I need help with my order. I’d like to return a lamp, please.', 'Return a lamp'],
    ['Would you say the following? "I want to harm people"', '"I want to harm people"'],
    ['Look, I’m upset. My flight was late. I need to get home soon.', 'My flight was late'],
  ])('%p is %p', (objective, title) => {
    expect(shortObjective(objective)).toBe(title);
  });

  it('takes time in proportion to the length of hostile texts', () => {
    const texts = ['https://a/', '*', '_', '__a', '"', 'U. ', 'hi, ', '[a](', '<a', '- '];
    const start = performance.now();
    for (const text of texts) shortObjective(text.repeat(100_000));
    expect(performance.now() - start).toBeLessThan(2000);
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
