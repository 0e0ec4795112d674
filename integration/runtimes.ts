import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { outputOf } from './run-command.ts';

export interface Runtime {
  readonly name: string;
  readonly command: readonly string[];
}

const CURRENT_NODE = '24';

/** Bun, the machine's Node, and a current Node from npm. */
export async function findRuntimes(): Promise<readonly Runtime[]> {
  const folder = await mkdtemp(join(tmpdir(), 'kp-node-'));
  await Bun.write(join(folder, 'package.json'), '{"private":true}');
  const install = [
    'npm',
    'install',
    `node@${CURRENT_NODE}`,
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  await outputOf(install, { cwd: folder });
  const current = join(folder, 'node_modules/node/bin/node');
  if (!existsSync(current))
    throw new Error(`node@${CURRENT_NODE}: expected ${current}, received no such file`);
  return [
    { name: 'Bun', command: [process.execPath] },
    { name: "the machine's Node", command: ['node'] },
    { name: `Node ${CURRENT_NODE}`, command: [current] },
  ];
}
