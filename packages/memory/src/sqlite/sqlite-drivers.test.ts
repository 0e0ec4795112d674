import { expect, it } from 'bun:test';
import { describeWith, nodeNeed } from '@kp/testing/needs';
import { sharedMemoryContract } from '../contract/index.ts';

const node = process.env.KP_NODE ?? Bun.which('node');

describeWith(nodeNeed, 'SQLite under Node', () => {
  it('keeps the contract, or says what to install', async () => {
    const program = new URL('../../test/contract-under-node.mjs', import.meta.url).pathname;
    const child = Bun.spawn([node ?? '', program], { stdio: ['ignore', 'pipe', 'pipe'] });
    const output = (await new Response(child.stdout).text()).trim();
    const errors = await new Response(child.stderr).text();
    expect({ exitCode: await child.exited, errors }).toEqual({ exitCode: 0, errors: '' });
    const [major = 0, minor = 0] = Bun.spawnSync([node ?? '', '--version'])
      .stdout.toString()
      .slice(1)
      .split('.')
      .map(Number);
    if (major > 22 || (major === 22 && minor >= 5) || !output.startsWith('DEPENDENCY_MISSING')) {
      expect(output).toBe(`${sharedMemoryContract.length} rules kept`);
    } else {
      expect(output).toContain('install it: npm install better-sqlite3');
    }
  });
});
