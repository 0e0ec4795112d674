import { afterAll, beforeAll, describe, expect, it } from 'bun:test';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { everyRuntime, examples } from '../test/run-kp.ts';
import { createWholeFile, writeWholeFile } from './output.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kp-output-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('results that cannot be written', () => {
  it('are said on one line, with 1, under Bun and Node alike', async () => {
    if (!existsSync('/dev/full')) {
      console.warn('NOT TESTED: there is no /dev/full');
      return;
    }
    for (const runtime of await everyRuntime()) {
      for (const words of [
        ['score', examples],
        ['score', '--json', examples],
        ['formats'],
        ['completion', 'bash'],
        ['--help'],
      ]) {
        const child = Bun.spawn([...runtime, ...words], {
          stdout: Bun.file('/dev/full'),
          stderr: 'pipe',
        });
        expect(await new Response(child.stderr).text()).toBe(
          'kp: standard output: could not be written: expected space on the device, received none left\n',
        );
        expect(await child.exited).toBe(1);
      }
    }
  });
});

describe('createWholeFile', () => {
  it('shows nothing before it is kept, and leaves nothing when it is discarded', async () => {
    const path = join(folder, 'kept');
    const file = await createWholeFile(path, '-o');
    await file.write('one ');
    await file.write(new TextEncoder().encode('two'));
    expect(existsSync(path)).toBe(false);
    await file.keep();
    expect(await Bun.file(path).text()).toBe('one two');

    const dropped = await createWholeFile(path, '-o');
    await dropped.write('three');
    await dropped.discard();
    await dropped.discard();
    expect(await Bun.file(path).text()).toBe('one two');
    expect(await readdir(folder)).toEqual(['kept']);
  });

  it('refuses a folder that is not there, and one in the place of the file', async () => {
    await expect(writeWholeFile(join(folder, 'no', 'x'), '-o', '')).rejects.toThrow(
      `-o ${join(folder, 'no', 'x')}: expected a folder ${join(folder, 'no')} to write it in`,
    );
    await mkdir(join(folder, 'a-folder'));
    await expect(writeWholeFile(join(folder, 'a-folder'), '-o', '')).rejects.toThrow(
      'expected the name of a file, received a folder',
    );
  });
});
