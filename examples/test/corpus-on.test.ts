import { describe, expect, it } from 'bun:test';
import { join } from 'node:path';
import { useFolder } from '@kp/testing/folder';
import { describeWith, pythonNeed } from '@kp/testing/needs';
import { outputOf } from '@kp/testing/run-command';
import { Glob } from 'bun';
import { daskNeed, runLocally, runOn, someShardsDone, startDask } from './corpus-engines.ts';

const programs = join(import.meta.dir, '../corpus-on');
const names = [...new Glob('*').scanSync(programs)].sort();
const ofKind = (end: string): string[] => names.filter((name) => name.endsWith(end));

describe('the programs of corpus-on', () => {
  it.each(names.filter((name) => !name.endsWith('.md')))(
    '%s has at most 15 lines',
    async (name) => {
      const text = await Bun.file(join(programs, name)).text();
      expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(15);
    },
  );

  it.each(ofKind('.sh'))('%s has the syntax of a shell', async (name) => {
    expect(await outputOf(['sh', '-n', join(programs, name)])).toBe('');
  });
});

describeWith(pythonNeed, 'the Python programs of corpus-on', () => {
  it.each(ofKind('.py'))('%s has the syntax of Python', async (name) => {
    const check = 'import ast, sys; ast.parse(open(sys.argv[1]).read())';
    expect(await outputOf(['python3', '-c', check, join(programs, name)])).toBe('');
  });
});

describeWith(daskNeed, 'kp corpus on Dask', () => {
  const folder = useFolder('kp-corpus-dask-');
  it('gives the bytes of a local run when a worker is killed', async () => {
    const runs = join(import.meta.dir, '../traces');
    const request = { runs, shards: 4, top: 5 };
    const [local, dask] = await Promise.all([
      runLocally(request, join(folder, 'local')),
      startDask(join(folder, 'dask'), 2),
    ]);
    try {
      const selection = runOn('on_dask.py', request, join(folder, 'on-dask'), [dask.address]);
      await someShardsDone(join(folder, 'on-dask'));
      dask.workers[0]?.kill('SIGKILL');
      expect(await selection).toEqual(local);
    } finally {
      await dask.stop();
    }
  });
});
