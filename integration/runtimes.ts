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
  const system = process.platform === 'win32' ? 'win' : process.platform;
  const target = `${system}-${process.arch}`;
  // What the package "node" would bring by a script of its own, under the names that has.
  const name = target === 'darwin-arm64' ? `node-bin-${target}` : `node-${target}`;
  await outputOf([process.execPath, 'add', `${name}@${CURRENT_NODE}`], { cwd: folder });
  const file = system === 'win' ? 'node.exe' : 'node';
  const current = join(folder, 'node_modules', name, 'bin', file);
  if (!existsSync(current)) throw new Error(`${name}: expected ${current}, received no such file`);
  return [
    { name: 'Bun', command: [process.execPath] },
    { name: "the machine's Node", command: ['node'] },
    { name: `Node ${CURRENT_NODE}`, command: [current] },
  ];
}
