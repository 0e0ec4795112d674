import { afterAll, describe, expect, it } from 'bun:test';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { useFolder } from '@kp/testing/folder';
import { runKp } from '../../test/run-kp.ts';
import { traceLine } from '../../test/traces.ts';
import { event, startWatch, stopWatches } from '../../test/watched.ts';

const root = useFolder('kp-watch-inputs-');
afterAll(stopWatches);

const newFolder = (): Promise<string> => mkdtemp(join(root, 'f'));
const session = (number: number, objective: string): string =>
  event(number, 0, 'user', objective) + event(number, 1, 'assistant', 'Done');
/** A file of tau2 with one simulation. */
const simulation = (objective: string): string =>
  JSON.stringify({
    info: {},
    tasks: [],
    simulations: [
      {
        task_id: '1',
        trial: 0,
        messages: [
          { role: 'user', content: objective },
          { role: 'assistant', content: `I ${objective}` },
        ],
      },
    ],
  });

describe('kp watch with input options', () => {
  it('scores a run again if only its outcome changes', async () => {
    const folder = await newFolder();
    const watched = await startWatch(folder, []);
    const file = join(folder, 'a.json');
    await writeFile(file, traceLine('a', 'Mend it'));
    const [passed] = await watched.reports('Mend it', 1);
    expect(passed?.run.countedAs).toBe(true);
    await writeFile(file, traceLine('a', 'Mend it').replace('"success":true', '"success":false'));
    const [, failed] = await watched.reports('Mend it', 2);
    expect(failed).toMatchObject({ traceId: 'kp:trace:a', run: { countedAs: false } });
    expect((await watched.end()).exitCode).toBe(0);
  });

  it('leaves out what --where and --exclude name, and the label file', async () => {
    const folder = await newFolder();
    await mkdir(join(folder, 'old'));
    const labels = join(folder, 'labels.csv');
    await writeFile(labels, 'id,success\nkp:trace:kept,true\nkp:trace:failed,false\n');
    const words = ['--initial', '--exclude', 'old/**', '--where', 'success=true and score>0.1'];
    await writeFile(join(folder, 'old', 'a.json'), traceLine('old', 'Old'));
    await writeFile(join(folder, 'b.json'), traceLine('failed', 'Failed'));
    await writeFile(join(folder, 'c.json'), traceLine('kept', 'Kept'));
    const watched = await startWatch(folder, [...words, '--labels', labels, '--domain', 'nowhere']);
    // Files are scored in the order in which they become quiet; the last one is scored last.
    expect(await watched.reports('Kept', 1)).toHaveLength(1);
    await writeFile(join(folder, 'd.json'), traceLine('kept', 'Last'));
    expect(await watched.reports('Last', 1)).toHaveLength(1);
    for (const objective of ['Old', 'Failed']) {
      expect(await watched.reports(objective, 0)).toEqual([]);
    }
    const { errors } = await watched.end();
    expect(errors).toContain('warning --domain nowhere: no profile has this name');
    expect(errors).toContain('\n1 run left out by --where\n');
    expect(errors).not.toContain('problem');
  });

  it.each([
    [['--strict'], '--strict cannot be combined with kp watch'],
    [['--where', 'agreement>0.5'], '--where agreement>0.5: expected kp score --corpus'],
    [['--success', '>='], '--success'],
  ])('rejects %p', async (words, message) => {
    const { exitCode, errors } = await runKp(['watch', tmpdir(), ...words]);
    expect(exitCode).toBe(2);
    expect(errors).toContain(message);
  });

  it('rejects a file, and a path that does not exist', async () => {
    const file = join(await newFolder(), 'a.jsonl');
    await writeFile(file, traceLine('a'));
    for (const [path, received] of [
      [file, 'a file'],
      [`${file}.gz`, 'a path that does not exist'],
    ]) {
      const { exitCode, errors } = await runKp(['watch', String(path)]);
      expect(exitCode).toBe(2);
      expect(errors).toContain(`${path}: expected a folder to watch, received ${received}`);
    }
  });

  it('keeps runs of one name in several files apart, and continues sessions', async () => {
    const [folder, memory] = [await newFolder(), join(root, 'seen.db')];
    await writeFile(join(folder, 'one.json'), simulation('book a flight'));
    await writeFile(join(folder, 'two.json'), simulation('cancel a hotel'));
    await writeFile(join(folder, 'session.jsonl'), session(1, 'Find the port'));
    for (const _ of ['first', 'again']) {
      const watched = await startWatch(folder, ['--initial', '--memory', memory]);
      const found = [];
      for (const objective of ['book a flight', 'cancel a hotel', 'Find the port']) {
        found.push(...(await watched.reports(objective, 1)));
      }
      const ids = found.map(({ traceId }) => traceId);
      expect(ids[0]).toMatch(/^kp:trace:tau2:1:0:[\da-f]{12}$/);
      expect(ids[1]).toMatch(/^kp:trace:tau2:1:0:[\da-f]{12}$/);
      expect(ids[2]).toMatch(/^kp:trace:claude-code:0d6c61a5-0000-4000-8000-000000000001$/);
      expect(new Set(ids).size).toBe(3);
      await watched.end();
    }
    const stats = await runKp(['memory', 'stats', '--json', memory]);
    expect(JSON.parse(stats.output)).toMatchObject({ entries: 3 });
    // The recordings of these entries are found.
    const words = ['--embedder', 'task', '--into', join(root, 'task.db')];
    const migrated = await runKp(['memory', 'migrate', memory, folder, ...words]);
    expect(migrated).toMatchObject({ exitCode: 0 });
    expect(migrated.errors).toContain('3 traces of lexical/5/384 converted');
    await rm(folder, { recursive: true });
  });
});
