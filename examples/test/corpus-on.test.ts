import { describe, expect, it } from 'bun:test';
import { chmod } from 'node:fs/promises';
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

describe('the shell programs of corpus-on', () => {
  const folder = useFolder('kp-corpus-shell-');

  /** Run each task at once, as the programs of the engines would on some machine. */
  const engines = {
    parallel: `#!/bin/sh
      for command; do :; done
      while read -r shard; do
        sh -c "$(printf %s "$command" | sed "s/{}/$shard/g; s/{#}/1/g")" || exit 1
      done`,
    sbatch: `#!/bin/sh
      last=none
      for word; do
        case $word in --array=0-*) last=\${word#--array=0-} ;; --wrap=*) command=\${word#--wrap=} ;; esac
      done
      if [ "$last" = none ]; then sh -c "$command" || exit 1; else
        for shard in $(seq 0 "$last"); do SLURM_ARRAY_TASK_ID=$shard sh -c "$command" || exit 1; done
      fi
      echo 1`,
  };

  it.each(ofKind('.sh'))(
    '%s reads and writes paths with quotes, spaces and braces',
    async (name) => {
      const bin = join(folder, 'bin');
      for (const [engine, text] of Object.entries(engines)) {
        await Bun.write(join(bin, engine), text);
        await chmod(join(bin, engine), 0o755);
      }
      const place = join(folder, `${name}'s "$HOME" {} {#}`);
      const runs = join(place, "a user's runs {}.jsonl");
      await Bun.write(runs, await Bun.file(join(import.meta.dir, '../traces/code.jsonl')).text());
      const request = { runs, shards: 2, top: 3 };
      const local = await runLocally(request, join(folder, `local ${name}`));
      const variables = { PATH: `${bin}:${process.env.PATH}` };
      expect(await runOn(name, request, place, [], variables)).toEqual(local);
    },
  );
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
