import { describe, expect, it } from 'bun:test';
import { findMessages } from './messages.ts';

const textsOf = (source: string, scope: 'sentences' | 'errors') =>
  findMessages('a.ts', source, scope).map(({ line, text }) => `${line}: ${text}`);

describe('findMessages', () => {
  it('finds sentences with their placeholders but no names and imports', () => {
    const source = [
      "import { a } from 'a module';",
      "type B = 'two words';",
      "say('no run to show');",
      `say(\`written to \${path}, with provenance\`);`,
      "const name = 'fast-check';",
    ].join('\n');
    expect(textsOf(source, 'sentences')).toEqual([
      '3: no run to show',
      '4: written to {path}, with provenance',
    ]);
  });

  it('finds only messages of errors', () => {
    const source = [
      "log('not an error');",
      "throw new TypeError('expected a number');",
      "class MyError extends Error { constructor() { super('it is broken'); } }",
      "checkNumber('a value', 'at least 0');",
    ].join('\n');
    expect(textsOf(source, 'errors')).toEqual([
      '2: expected a number',
      '3: it is broken',
      '4: a value',
      '4: at least 0',
    ]);
  });

  it('rejects a source that cannot be parsed', () => {
    expect(() => textsOf('const = ;', 'errors')).toThrow('a.ts');
  });
});
