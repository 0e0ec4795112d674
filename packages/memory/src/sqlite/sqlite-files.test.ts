import { afterAll, beforeAll, expect, it } from 'bun:test';
import { chmod, mkdtemp, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { useFolder } from '@kp/testing/folder';
import { describeWith, fileModeNeed } from '@kp/testing/needs';
import { failureOf } from '../../test/load.ts';
import { backupSqliteMemory } from './backup-sqlite-memory.ts';
import { openSqliteMemory } from './open-sqlite-memory.ts';

const embedder = { id: 'test/2', dimensions: 2 };
const folder = useFolder('kp-files-');
let umask = 0;
beforeAll(async () => {
  umask = process.umask(0o022);
});
afterAll(async () => {
  process.umask(umask);
});

describeWith(fileModeNeed, 'the files of a SQLite memory', () => {
  it('can be read only by their owner, including side files and copies', async () => {
    const place = await mkdtemp(join(folder, 'private-'));
    const file = join(place, 'seen.db');
    const memory = await openSqliteMemory(file, { embedder });
    await memory.add(Float32Array.of(1, 0), 'a');
    await backupSqliteMemory(file, join(place, 'copy.db'));
    const names = (await readdir(place)).sort();
    expect(names).toEqual(['copy.db', 'seen.db', 'seen.db-shm', 'seen.db-wal']);
    for (const name of names) expect((await stat(join(place, name))).mode & 0o777).toBe(0o600);
    await memory.close();
    const copy = await openSqliteMemory(join(place, 'copy.db'));
    expect(await copy.size).toBe(1);
    await copy.close();
  });

  it('keep their permissions', async () => {
    const file = join(folder, 'shared.db');
    await writeFile(file, '');
    await chmod(file, 0o664);
    const memory = await openSqliteMemory(file, { embedder });
    await memory.close();
    expect((await stat(file)).mode & 0o777).toBe(0o664);
  });

  it('are not created at the target of a symlink', async () => {
    const link = join(folder, 'link.db');
    await symlink(join(folder, 'elsewhere.db'), link);
    const failure = await failureOf(openSqliteMemory(link, { embedder }));
    expect(failure.message).toContain('received a link to a file that does not exist');
    const source = join(folder, 'source.db');
    await (await openSqliteMemory(source, { embedder })).close();
    expect((await failureOf(backupSqliteMemory(source, link))).message).toContain('not exist yet');
    expect(await readdir(folder)).not.toContain('elsewhere.db');
    await symlink(source, join(folder, 'good.db'));
    await (await openSqliteMemory(join(folder, 'good.db'))).close();
  });
});
