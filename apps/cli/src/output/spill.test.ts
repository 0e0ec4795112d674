import { expect, it } from 'bun:test';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { processMark } from '@kp/foundation';
import { useFolder } from '@kp/testing/folder';

const folder = useFolder('kp-spills-');

it('removes only the files of killed processes', async () => {
  const gone = Bun.spawnSync([process.execPath, '--version']).pid;
  const mark = processMark().replace(/^\d+/, `${gone}`);
  const others = [`kp-spill-${processMark()}-b`, `kp-${mark}-c`];
  for (const name of [`kp-spill-${mark}-a`, ...others]) await mkdir(join(folder, name));
  await Bun.write(join(folder, `kp-spill-${mark}-a`, 'runs'), 'half');
  const script = `
    const { createSpill } = await import('${join(import.meta.dir, 'spill.ts')}');
    const spill = await createSpill();
    console.log(await spill.read(await spill.add('text')));
    await spill.close();`;
  const child = Bun.spawn([process.execPath, '-e', script], {
    env: { ...process.env, TMPDIR: folder, TEMP: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  expect(await new Response(child.stdout).text()).toBe('text\n');
  expect((await readdir(folder)).sort()).toEqual(others.sort());
});
