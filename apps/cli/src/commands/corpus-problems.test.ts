import { beforeAll, describe, expect, it } from 'bun:test';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { useFolder } from '@kp/testing/folder';
import { corpusLines } from '../../test/corpus-folder.ts';
import { runKp } from '../../test/run-kp.ts';

const folder = useFolder('kp-corpus-problems-');
const at = (name: string): string => join(folder, name);
const SHARDS = ['1', '2', '5'];

async function countsOf(file: string, shards: string, more: readonly string[] = []) {
  const words = ['corpus', 'run', at(file), '--top', '3', '--shards', shards, '--json', '-q'];
  const output = at(`${file}-${shards}.jsonl`);
  const { output: summary, errors } = await runKp([...words, ...more, '-o', output]);
  const { runs, refused, problems } = JSON.parse(summary);
  return { runs, refused, problems, errors };
}

beforeAll(async () => {
  const runs = corpusLines(100);
  const foreign = Array<string>(20).fill(`{"a":"${'x'.repeat(300)}"}`);
  await writeFile(
    at('middle.jsonl'),
    [...runs.slice(0, 50), ...foreign, ...runs.slice(50)].join('\n'),
  );
  await writeFile(at('start.jsonl'), [...Array(4).fill('null'), ...runs].join('\n'));
  await writeFile(at('runs.jsonl'), runs.join('\n'));
  await writeFile(at('labels.csv'), 'domain,success\ncode,true\n');
});

describe('kp corpus in any number of shards', () => {
  it('counts each refused line once, as kp score does', async () => {
    const scored = await runKp(['score', at('middle.jsonl'), '--json', '-q']);
    const summary = JSON.parse(scored.output.trim().split('\n').at(-1) ?? '');
    expect(summary).toMatchObject({ scored: 100, refused: 20 });
    for (const shards of SHARDS) {
      expect(await countsOf('middle.jsonl', shards)).toMatchObject({ runs: 100, refused: 20 });
    }
  });

  it('reports once that a file is refused', async () => {
    for (const shards of SHARDS) {
      const counts = await countsOf('start.jsonl', shards);
      expect(counts).toMatchObject({ runs: 0, refused: 5, problems: 1 });
      expect(counts.errors).not.toContain('received an input without any');
    }
  });

  it('reports once that a link of a folder is broken', async () => {
    await mkdir(at('linked'));
    await writeFile(join(at('linked'), 'a.jsonl'), corpusLines(20).join('\n'));
    await symlink('nowhere', join(at('linked'), 'b.jsonl'));
    for (const shards of SHARDS) {
      const counts = await countsOf('linked', shards);
      expect(counts).toMatchObject({ runs: 20, problems: 1 });
      expect(counts.errors.split('b.jsonl')).toHaveLength(2);
    }
  });

  it('reports once that labels match several runs', async () => {
    for (const shards of ['1', '3']) {
      const labels = ['--labels', at('labels.csv'), '--label-key', 'domain'];
      const counts = await countsOf('runs.jsonl', shards, labels);
      expect(counts).toMatchObject({ runs: 100, refused: 0, problems: 1 });
      expect(counts.errors.split('expected each label to match one run')).toHaveLength(2);
    }
  });
});
