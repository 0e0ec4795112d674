import { describe, expect, it } from 'bun:test';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { useFolder } from '@kp/testing/folder';
import { lockFolder, type RunLock } from './run-lock.ts';

const place = useFolder('kp-run-lock-');
const { signal } = new AbortController();
const times = { heartbeatMs: 10, timeoutMs: 500 };
let folders = 0;

function newFolder(): string {
  return join(place, `${folders++}`);
}

/** A folder with the lock of a run that was killed. */
async function abandonedFolder(
  content = '{"process":1,"host":"other","beats":7}',
): Promise<string> {
  const folder = newFolder();
  await mkdir(folder);
  await writeFile(join(folder, 'run-1.lock'), content);
  return folder;
}

const lock = (folder: string): Promise<RunLock> => lockFolder(folder, signal, times);

describe('lockFolder', () => {
  it('refuses a folder that another run uses, and says which', async () => {
    const folder = newFolder();
    const held = await lock(folder);
    await expect(lock(folder)).rejects.toThrow(
      `${folder}: expected a folder that no other kp corpus run uses, received one that the process ${process.pid} on ${hostname()} uses; wait until it ends, or choose another -o`,
    );
    await held.release();
  });

  it('gives a released folder to the next run at once', async () => {
    const folder = newFolder();
    await (await lock(folder)).release();
    const next = await lockFolder(folder, signal, { heartbeatMs: 10, timeoutMs: 600_000 });
    await expect(lock(folder)).rejects.toThrow('wait until it ends');
    await next.release();
  });

  it.each([
    ['of a process that has ended', undefined],
    ['with the number of a process that runs', `{"process":${process.pid},"host":"${hostname()}"}`],
    ['that was never written', ''],
  ])('takes over a lock %s', async (_, content) => {
    const folder = await abandonedFolder(content);
    const held = await lock(folder);
    expect(await readdir(folder)).toEqual(['run-1.lock', 'run-2.lock']);
    await held.release();
  });

  it('gives a folder to one of several runs that find it abandoned, or empty', async () => {
    for (const folder of [await abandonedFolder(), newFolder()]) {
      const results = await Promise.allSettled(Array.from({ length: 8 }, () => lock(folder)));
      const held = results.filter((result) => result.status === 'fulfilled');
      expect(held).toHaveLength(1);
      await held[0]?.value.release();
    }
  });

  it('creates a folder again that is removed while it waits', async () => {
    const folder = await abandonedFolder();
    const waiting = lockFolder(folder, signal, { heartbeatMs: 10, timeoutMs: 600_000 });
    await rm(folder, { recursive: true });
    const held = await waiting;
    expect(await readdir(folder)).toEqual(['run-1.lock']);
    await held.release();
  });

  it('stops waiting when it is interrupted', async () => {
    const stop = new AbortController();
    const folder = await abandonedFolder();
    const waiting = lockFolder(folder, stop.signal, { heartbeatMs: 10, timeoutMs: 600_000 });
    stop.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
    expect(await readdir(folder)).toEqual(['run-1.lock']);
  });

  it('removes the folder with everything that kp wrote to it', async () => {
    const parent = newFolder();
    const folder = join(parent, 'work');
    const held = await lock(folder);
    await writeFile(join(folder, 'plan.done'), '');
    expect(await held.removeFolder()).toEqual([]);
    await held.release();
    expect(await readdir(parent)).toEqual([]);
  });

  it('leaves what is not from kp, with the lock, which it gives to the next run', async () => {
    const folder = newFolder();
    const held = await lock(folder);
    for (const name of ['plan.done', 'mine.jsonl']) await writeFile(join(folder, name), name);
    expect(await held.removeFolder()).toEqual(['mine.jsonl']);
    await held.release();
    expect((await readdir(folder)).sort()).toEqual(['mine.jsonl', 'run-1.lock']);
    await (await lockFolder(folder, signal, { heartbeatMs: 10, timeoutMs: 600_000 })).release();
  });
});
