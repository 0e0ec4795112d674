// The programs of examples/corpus-on, with killed tasks and workers. Run by scripts/nightly.ts.
import { beforeAll, expect, it } from 'bun:test';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { useFolder } from '@kp/testing/folder';
import { describeWith, type Need } from '@kp/testing/needs';
import { writeCorpus } from '../../apps/bench/src/corpus/write-corpus.ts';
import {
  type CorpusRequest,
  daskNeed,
  runLocally,
  runOn,
  someShardsDone,
  startDask,
} from '../../examples/test/corpus-engines.ts';
import { startSlurm } from './slurm.ts';

const needOf = (name: string, program: string): Need => ({
  name,
  isMet: Bun.which(program) !== null,
  remedy: 'sh scripts/install-engines.sh installs it',
  isExpectedInCi: process.platform === 'linux',
});

const RUNS = 12_000;
const folder = useFolder('kp-corpus-on-');
const request: CorpusRequest = { runs: join(folder, 'runs.jsonl'), shards: 6, top: 200 };
let local: readonly string[] = [];

beforeAll(async () => {
  await writeCorpus(request.runs, RUNS);
  local = await runLocally(request, join(folder, 'local'));
}, 300_000);

/** Kills processes whose command line has all of these words, until stopped. Returns how many. */
async function killAtRandom(words: readonly string[], stopped: AbortSignal): Promise<number> {
  let killed = 0;
  while (!stopped.aborted && killed < 4) {
    await Bun.sleep(400 + Math.random() * 400);
    const { stdout } = Bun.spawnSync(['ps', '-eo', 'pid=,args=']);
    const lines = stdout.toString().split('\n');
    // The program of the stage, not the shell that started it.
    const isStage = (line: string): boolean =>
      line.trim().replace(/^\d+ /, '').startsWith(process.execPath);
    const found = lines.filter(
      (line) => isStage(line) && words.every((word) => line.includes(word)),
    );
    const line = found[Math.floor(Math.random() * found.length)];
    if (line === undefined) continue;
    try {
      process.kill(Number.parseInt(line, 10), 'SIGKILL');
      killed++;
    } catch {
      // It ended by itself meanwhile.
    }
  }
  return killed;
}

describeWith(needOf('GNU parallel', 'parallel'), 'GNU parallel', () => {
  it('gives the bytes of a local run when tasks are killed', async () => {
    const place = join(folder, 'on-parallel');
    const stop = new AbortController();
    const killer = killAtRandom(['corpus', 'map', place], stop.signal);
    const files = await runOn('on-parallel.sh', request, place);
    stop.abort();
    expect(await killer).toBeGreaterThan(0);
    expect(files).toEqual(local);
  }, 600_000);
});

describeWith(daskNeed, 'Dask', () => {
  it('gives the bytes of a local run when a worker is killed', async () => {
    const place = join(folder, 'on-dask');
    const dask = await startDask(join(folder, 'dask'), 2);
    try {
      const selection = runOn('on_dask.py', request, place, [dask.address]);
      await someShardsDone(place);
      dask.workers[0]?.kill('SIGKILL');
      expect(await selection).toEqual(local);
    } finally {
      await dask.stop();
    }
  }, 600_000);
});

describeWith(needOf('Slurm', 'slurmctld'), 'Slurm', () => {
  it('gives the bytes of a local run', async () => {
    const place = join(folder, 'slurm');
    await mkdir(place);
    const slurm = await startSlurm(place);
    try {
      const files = await runOn(
        'on-slurm.sh',
        request,
        join(folder, 'on-slurm'),
        [],
        slurm.environment,
      );
      expect(files).toEqual(local);
    } finally {
      await slurm.stop();
    }
  }, 600_000);
});
