import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Takes away what processes that are no more have left in a folder; whoever is killed tidies nothing up.
 *
 * @param start - of the names of what is left.
 * @param rest - of these names; the first group is the id of the process.
 */
export async function removeAbandoned(folder: string, start: string, rest: RegExp): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.startsWith(start)) continue;
    const [, pid] = rest.exec(name.slice(start.length)) ?? [];
    if (pid === undefined || isRunning(Number(pid))) continue;
    await rm(join(folder, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Somebody else's process may not be asked.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
