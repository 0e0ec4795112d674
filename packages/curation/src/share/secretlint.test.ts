import { describe, expect, it } from 'bun:test';
import { fileURLToPath } from 'node:url';

const file = fileURLToPath(new URL('secretlint.ts', import.meta.url));

/** Loads another version of the library in a separate process, and returns the result. */
async function loadWith(core: string, preset: string): Promise<unknown> {
  const program = `
    Bun.plugin({
      name: 'another version',
      setup(build) {
        build.module('@secretlint/core', () => ({ exports: ${core}, loader: 'object' }));
        build.module('@secretlint/secretlint-rule-preset-recommend', () => ({
          exports: ${preset},
          loader: 'object',
        }));
      },
    });
    const { loadSecretlint } = await import(${JSON.stringify(file)});
    const lint = await loadSecretlint().catch(({ code, received }) => ({ code, received }));
    console.log(JSON.stringify(typeof lint === 'function' ? await lint('a key p4ssw0rd and more') : lint));`;
  const child = Bun.spawn([process.execPath, '-e', program], { stdout: 'pipe' });
  return JSON.parse(await new Response(child.stdout).text());
}

const RULE = `{ rules: [{ meta: { id: '@secretlint/secretlint-rule-a' } }] }`;
const FINDS = `{
  async lintSource() {
    return { messages: [{ ruleId: '@secretlint/secretlint-rule-a', messageId: 'A', range: [2, 5] }] };
  },
}`;

/**
 * A stub version that reports the given finding in `a key p4ssw0rd and more`; a rule may add data.
 */
const finding = (range: readonly [number, number], data: object): string =>
  `{ async lintSource() {
    return { messages: [{
      ...{ ruleId: '@secretlint/secretlint-rule-a', range: ${JSON.stringify(range)} },
      data: ${JSON.stringify(data)},
    }] };
  } }`;

describe('loadSecretlint', () => {
  it.each([
    ['the position of the secret that the data names', [0, 20], { KEY: 'p4ssw0rd' }, 6, 14],
    ['a named secret at the very end of the range', [0, 6], { KEY: 'p4ssw0rd' }, 6, 14],
    ['the whole range if the named secret is short', [0, 20], { KEY: 'key' }, 0, 20],
    ['the whole range if the named secret comes after it', [0, 5], { KEY: 'p4ssw0rd' }, 0, 5],
    ['the whole range if the named secret comes before it', [7, 20], { KEY: 'a key p4s' }, 7, 20],
    ['the whole range if no secret is named', [0, 20], { LENGTH: 8 }, 0, 20],
  ] as const)('finds %s', async (_, range, data, start, end) => {
    expect(await loadWith(finding(range, data), RULE)).toEqual([{ kind: 'a', start, end }]);
  });

  it('accepts a version with the required functions', async () => {
    expect(await loadWith(FINDS, RULE)).toEqual([expect.objectContaining({ start: 2, end: 5 })]);
  });

  it('explains how to install a missing library', async () => {
    const missing = `(() => { throw new Error("Cannot find package '@secretlint/core'"); })()`;
    expect(await loadWith(missing, RULE)).toEqual({
      code: 'DEPENDENCY_MISSING',
      received: "Cannot find package '@secretlint/core'",
    });
  });

  it.each([
    ['lintSource of type undefined and 1 rules', '{}', RULE],
    ['lintSource of type string and 0 rules', '{ lintSource: "text" }', '{}'],
    ['lintSource of type function and 0 rules', FINDS, '{ rules: [] }'],
  ])('rejects one with %s', async (received, core, preset) => {
    expect(await loadWith(core, preset)).toEqual({ code: 'DEPENDENCY_BROKEN', received });
  });
});
