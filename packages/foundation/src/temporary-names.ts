import { codeOf } from './describe.ts';
import { nodeModules } from './node-modules.ts';

const HOST_CHARACTERS = 16;
const DAY_MS = 86_400_000;
const MARK = /^(?<pid>[1-9]\d*)-(?<host>[a-z\d]+)-[\w.]+$/i;

/**
 * Returns the part of a temporary file name that identifies this process, so that a later process
 * can tell whether the file is abandoned: `4711-laptop`. A random part follows it, after a hyphen.
 * Node and Bun only.
 */
export function processMark(): string {
  return `${process.pid}-${hostName()}`;
}

/**
 * Removes leftovers of killed processes from a folder: files and folders of this user whose process
 * on this machine has ended, or that another machine has not changed for a day. Follows no link.
 * Ignores entries that it cannot read or remove. Node and Bun only.
 *
 * @param folder - the folder to clean; its subfolders are not searched.
 * @param prefix - start of the names; {@link processMark} and a random part follow it.
 */
export async function removeAbandoned(folder: string, prefix: string): Promise<void> {
  const { files, paths } = nodeModules();
  for (const name of await files.readdir(folder).catch(() => [])) {
    if (!name.startsWith(prefix)) continue;
    const { pid, host } = MARK.exec(name.slice(prefix.length))?.groups ?? {};
    if (pid === undefined || (host === hostName() && isRunning(Number(pid)))) continue;
    const path = paths.join(folder, name);
    const found = await files.lstat(path).catch(() => undefined);
    if (found === undefined || found.isSymbolicLink()) continue;
    // Windows knows no user ids.
    if (process.getuid !== undefined && found.uid !== process.getuid()) continue;
    if (host !== hostName() && Date.now() - found.mtimeMs < DAY_MS) continue;
    await files.rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** The end of the machine's name, because containers of one deployment differ there. */
function hostName(): string {
  const letters = nodeModules()
    .system.hostname()
    .replaceAll(/[^a-z\d]/gi, '');
  return letters.slice(-HOST_CHARACTERS) || 'unnamed';
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // The system does not allow a query about another user's process.
    return codeOf(error) !== 'ESRCH';
  }
}
