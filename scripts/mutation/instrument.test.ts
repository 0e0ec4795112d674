import { describe, expect, it } from 'bun:test';
import { instrument } from './instrument.ts';

const source = `export function price(count: number, isMember = false): number {
  let total = count * 10;
  if (count >= 3 && isMember) total -= 5;
  return total;
}
`;

/** What the function answers while a mutant is on. */
function answers(code: string, id: number): (number | undefined)[] {
  const plain = new Bun.Transpiler({ loader: 'ts' }).transformSync(code);
  const body = plain.replace(/^import .*$/m, '').replace('export function', 'return function');
  const price = new Function('isOn', body)((asked: number) => asked === id);
  return [price(2, true), price(3, true), price(3)];
}

describe('instrument', () => {
  const { code, mutants } = instrument('price.ts', source, 0, './switch.ts');

  it('changes nothing while no mutant is on', () => {
    expect(answers(code, -1)).toEqual([20, 25, 30]);
  });

  it.each([
    ['count >= 3', '(count) > (3)', [20, 30, 30]],
    ['count >= 3 && isMember', '(count >= 3) || (isMember)', [15, 25, 25]],
    ['count >= 3 && isMember', 'true', [15, 25, 25]],
    ['count * 10', '(count) / (10)', [0.2, -4.7, 0.3]],
    ['10', '11', [22, 28, 33]],
    ['false', 'true', [20, 25, 25]],
    ['total -= 5', 'total += 5', [20, 35, 30]],
    ['total -= 5;', '', [20, 30, 30]],
  ])('turns %s into %s', (original, replacement, results) => {
    const found = mutants.filter((each) => {
      return each.original === original && each.replacement === replacement;
    });
    expect(
      found.map(({ id }) => answers(code, id).map((each) => Number(each?.toFixed(9)))),
    ).toEqual([results]);
  });

  it('empties a whole body', () => {
    const body = mutants.find(({ kind }) => kind === 'body');
    expect(answers(code, body?.id ?? -1)).toEqual([undefined, undefined, undefined]);
  });

  it('numbers the mutants from the first on, each with a key of its own', () => {
    const { mutants: others } = instrument('price.ts', source, 7, './switch.ts');
    expect(others.map(({ id }) => id)).toEqual(mutants.map(({ id }) => id + 7));
    expect(new Set(mutants.map(({ key }) => key)).size).toBe(mutants.length);
  });

  it('adds nothing to a number that is too large for it', () => {
    const { mutants: of } = instrument('x.ts', 'f(1e200, 1e-200);', 0, './switch.ts');
    const numbers = of.filter(({ kind }) => kind === 'number');
    expect(numbers.map(({ replacement }) => replacement)).toEqual(['1']);
  });

  it('leaves types, texts and what is imported alone', () => {
    const { mutants: none } = instrument(
      'types.ts',
      `import { a } from './1.ts';\nexport type T = 1 | 2;\nexport const t = 'x' as string;\n`,
      0,
      './switch.ts',
    );
    expect(none).toEqual([]);
  });

  it('empties texts, when they are asked for', () => {
    const source = `'use strict';\nimport a from 'a';\nf('x', '', \`a \${b}\`, c\`d\`, { 'key': 1 });`;
    const { mutants: of } = instrument('x.ts', source, 0, './switch.ts', true);
    expect(
      of.filter(({ kind }) => kind === 'text').map((each) => [each.original, each.replacement]),
    ).toEqual([
      ["'x'", "''"],
      ["''", "'text'"],
      [`\`a \${b}\``, "''"],
    ]);
  });
});
