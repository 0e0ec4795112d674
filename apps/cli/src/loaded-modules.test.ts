import { beforeAll, describe, expect, it } from 'bun:test';
import { join } from 'node:path';
import { findNode } from '@kp/testing/node';
import { runCommand } from '@kp/testing/run-command';

const folder = join(import.meta.dir, '..');
let node = '';
beforeAll(async () => {
  node = await findNode();
}, 300_000);

/** The packages of which a built command loads code under Node; ours as `our NAME`. */
async function packagesOf(...words: readonly string[]): Promise<readonly string[]> {
  const hook = join(folder, 'test/list-modules.mjs');
  const { errors } = await runCommand([node, '--import', hook, 'dist/main.js', ...words], {
    cwd: folder,
  });
  return JSON.parse(errors.trim().split('\n').at(-1) ?? '');
}

/** Libraries for terminal text, and the parser of the command line. */
const TERMINAL = [
  ...['ansi-regex', 'ansi-styles', 'commander', 'get-east-asian-width'],
  ...['string-width', 'strip-ansi', 'wrap-ansi'],
];

describe('the modules that a command loads', () => {
  it.each(['--version', '-v'])('are none for kp %s', async (word) => {
    expect(await packagesOf(word)).toEqual([]);
  });

  it('are only those for terminal text for kp --help', async () => {
    expect(await packagesOf('--help')).toEqual([...TERMINAL, 'our foundation'].sort());
  });

  it('are only the importers for kp formats', async () => {
    const expected = [...TERMINAL, 'our foundation', 'our importers', 'our schema'];
    expect(await packagesOf('formats')).toEqual(expected.sort());
  });

  it('exclude archives, databases, pages, servers and unused options for kp score', async () => {
    const loaded = await packagesOf('score', '-q', '../../examples/traces/single-trace.json');
    expect(loaded).toContain('our scoring');
    const optional =
      /zip|tar|hyparquet|protobuf|secretlint|modelcontextprotocol|chokidar|our report|pg|redis|prom|csv|picomatch|cli-progress/;
    expect(loaded.filter((name) => optional.test(name))).toEqual([]);
  });
});
