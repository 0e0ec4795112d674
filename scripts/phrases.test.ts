import { describe, expect, it } from 'bun:test';
import { describePhrases, findPhrases } from './phrases.ts';

const phrase = { phrase: 'of (?:its|our) own', write: 'its own X', most: 1 };
const find = (text: string) => findPhrases([phrase], new Map([['a.ts', text]])).get(phrase);

describe('findPhrases', () => {
  it.each(['a folder of its own', 'of\n  // its own', '/** of\n * our own */', '> of its\n> own'])(
    'finds a phrase in %j',
    (text) => {
      expect(find(text)).toHaveLength(1);
    },
  );

  it('reports the line and finds nothing in other texts', () => {
    expect(find('one\ntwo of its own')).toEqual([{ file: 'a.ts', line: 2, text: 'of its own' }]);
    expect(find('its own folder; kofits own; of its\n\nown')).toEqual([]);
  });
});

describe('describePhrases', () => {
  const uses = (count: number) =>
    findPhrases([phrase], new Map([['a.ts', 'of its own\n'.repeat(count)]]));

  it('accepts the previous number of uses', () => {
    expect(describePhrases(uses(1), new Set(['a.ts']))).toEqual([]);
  });

  it('names the uses in changed files if there are more', () => {
    expect(describePhrases(uses(2), new Set(['a.ts']))).toEqual([
      'phrases: expected at most 1 uses of /of (?:its|our) own/, received 2; write: its own X\n  a.ts:1: of its own\n  a.ts:2: of its own',
    ]);
    expect(describePhrases(uses(2), new Set())).toHaveLength(1);
  });
});
