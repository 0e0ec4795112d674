import { expect, it } from 'bun:test';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { useFolder } from '@kp/testing/folder';
import { runCommand } from '@kp/testing/run-command';
import { trackedFiles } from './tracked-files.ts';

const root = join(import.meta.dir, '..');
const clone = useFolder('kp-demo-');

it('the first command of the README works in a clone without installed packages', async () => {
  for (const name of await trackedFiles()) await cp(join(root, name), join(clone, name));
  const demo = await runCommand([process.execPath, 'run', 'demo'], { cwd: clone });
  expect(demo).toMatchObject({ exitCode: 0, output: expect.stringContaining('49 runs') });
}, 120_000);
