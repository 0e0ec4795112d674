import { join } from 'node:path';
import { outputOf } from '@kp/testing/run-command';

/** The files of the repository, from its root. What tests write meanwhile is not among them. */
export async function trackedFiles(): Promise<readonly string[]> {
  // Git refuses the folder of another user, as that of a CI may be.
  const command = ['git', '-c', 'safe.directory=*', 'ls-files', '-z'];
  const names = await outputOf(command, { cwd: join(import.meta.dir, '..') });
  return names.split('\0').filter(Boolean);
}
