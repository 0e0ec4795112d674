import { afterAll, beforeAll, expect, it } from 'bun:test';
import { chown, mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWith, type Need, postgresNeed } from '@kp/testing/needs';
import { Client } from 'pg';
import { failureOf, openTest } from '../../test/load.ts';
import { logOf, vectorOf } from '../../test/replay.ts';
import { startPostgres, type TestServer } from '../../test/servers.ts';

const fullDiskNeed: Need = {
  name: 'a Postgres, and root, who can mount a small disk',
  isMet: postgresNeed.isMet && canMount(),
  remedy: 'run it as root',
  isExpectedInCi: false,
};

function canMount(): boolean {
  const trial = ['unshare', '--mount', 'mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', '/mnt'];
  return process.getuid?.() === 0 && Bun.spawnSync(trial).exitCode === 0;
}

describeWith(fullDiskNeed, 'a memory on a real Postgres whose disk is full', () => {
  let server: TestServer | undefined;
  // Not useFolder, which would remove the folder before it is unmounted.
  let disk = '';
  beforeAll(async () => {
    disk = await mkdtemp(join(tmpdir(), 'kp-small-disk-'));
    Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', 'size=24m,mode=755', 'tmpfs', disk]);
    server = await startPostgres();
    const space = join(disk, 'space');
    await mkdir(space);
    const { uid, gid } = await stat(server.folder);
    await chown(space, uid, gid);
    const client = new Client({ connectionString: server.url });
    await client.connect();
    await client.query(`CREATE TABLESPACE small LOCATION '${space}'`);
    await client.query('CREATE DATABASE small TABLESPACE small');
    await client.end();
  });
  afterAll(async () => {
    await server?.remove();
    Bun.spawnSync(['umount', disk]);
    await rm(disk, { recursive: true });
  });

  it('rejects complete calls, keeps its entries, and continues when space is available', async () => {
    const memory = await openTest(server?.url.replace('/postgres', '/small') ?? '');
    await memory.addAll([{ key: 'first', vector: vectorOf(0) }]);
    const filler = join(disk, 'filler');
    Bun.spawnSync(['dd', 'if=/dev/zero', `of=${filler}`, 'bs=64k']);
    const batch = (from: number) =>
      Array.from({ length: 200 }, (_, i) => ({
        key: `${'long '.repeat(100)}${from + i}`,
        vector: vectorOf(from + i),
        operationId: crypto.randomUUID(),
      }));
    let kept = 1;
    let refused: Promise<unknown> = Promise.resolve();
    for (let call = 0; call < 100; call++) {
      refused = memory.compareAndRemember(batch(kept));
      const isTaken = await refused.then(
        () => true,
        () => false,
      );
      if (!isTaken) break;
      kept += 200;
    }
    expect(await failureOf(refused)).toMatchObject({ code: 'MEMORY_FULL' });
    expect(await memory.size).toBe(kept);
    await rm(filler);
    const [answer] = await memory.compareAndRemember(batch(kept));
    expect(answer?.comparedWith).toBe(kept);
    expect(await logOf(memory)).toHaveLength(kept + 200);
    await memory.close();
  }, 60_000);
});
