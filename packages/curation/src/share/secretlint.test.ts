import { describe, expect, it } from 'bun:test';
import { fileURLToPath } from 'node:url';

const file = fileURLToPath(new URL('secretlint.ts', import.meta.url));

/** What comes of loading another version of the library; in a process that has no other. */
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
    console.log(JSON.stringify(typeof lint === 'function' ? await lint('a key') : lint));`;
  const child = Bun.spawn([process.execPath, '-e', program], { stdout: 'pipe' });
  return JSON.parse(await new Response(child.stdout).text());
}

const RULE = `{ rules: [{ meta: { id: '@secretlint/rule-a' } }] }`;
const FINDS = `{
  async lintSource() {
    return { messages: [{ ruleId: '@secretlint/rule-a', messageId: 'A', range: [2, 5] }] };
  },
}`;

describe('loadSecretlint', () => {
  it('takes a version that has what is used of it', async () => {
    expect(await loadWith(FINDS, RULE)).toEqual([expect.objectContaining({ start: 2, end: 5 })]);
  });

  it.each([
    ['lintSource of type undefined and 1 rules', '{}', RULE],
    ['lintSource of type string and 0 rules', '{ lintSource: "text" }', '{}'],
    ['lintSource of type function and 0 rules', FINDS, '{ rules: [] }'],
  ])('refuses one with %s', async (received, core, preset) => {
    expect(await loadWith(core, preset)).toEqual({ code: 'PEER_UNUSABLE', received });
  });
});
