import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { MemoryStoreError } from '../log/errors.ts';

// Magic numbers of statfs(2), linux/magic.h and the file systems' own headers.
const NETWORK_FILE_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x517b, 'SMB'],
  [0x01021997, '9P'],
  [0x5346414f, 'AFS'],
  [0x73757245, 'Coda'],
  [0x00c36400, 'Ceph'],
  [0x0bd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
  [0x01161970, 'GFS2'],
  [0x7461636f, 'OCFS2'],
]);

/** Returns the type of the file system of a folder. */
export type FileSystemType = (folder: string) => Promise<number>;

const typeOf: FileSystemType = async (folder) => (await statfs(folder)).type;

/**
 * Rejects a file on a network drive, where SQLite's locks and shared memory do not work and two
 * writers would damage the file. Detects it by file system type on Linux, by path on Windows.
 *
 * @throws {@link MemoryStoreError} `MEMORY_LOCATION`.
 */
export async function refuseNetworkDrive(
  path: string,
  fileSystemType: FileSystemType = typeOf,
): Promise<void> {
  const isShare = /^[\\/]{2}[^\\/?.]/.test(path);
  const type = await fileSystemType(dirname(resolve(path))).catch(() => 0);
  const name = isShare ? 'a network share' : NETWORK_FILE_SYSTEMS.get(type >>> 0);
  if (name === undefined) return;
  throw new MemoryStoreError({
    code: 'MEMORY_LOCATION',
    subject: path,
    expected: 'a local disk, where locks work between processes',
    received: name,
    remedy: 'choose a local file, or postgres:// or redis:// to share it between machines',
  });
}
