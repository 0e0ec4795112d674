import { afterEach, describe, expect, it } from 'bun:test';
import { once } from 'node:events';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { useFolder } from '@kp/testing/folder';
import { traceLine } from '../../test/traces.ts';
import { findEarlyFile, startEarly, takeEarlyWorker } from './early-worker.ts';

const folder = useFolder('kp-early-worker-');
const taken: Worker[] = [];
afterEach(async () => {
  await Promise.all(taken.splice(0).map((worker) => worker.terminate()));
});

function take(): Worker | undefined {
  const worker = takeEarlyWorker();
  if (worker !== undefined) taken.push(worker);
  return worker;
}

async function fileOf(name: string, line: string, bytes: number): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, `${line}\n${' '.repeat(bytes)}`);
  return path;
}

describe('findEarlyFile', () => {
  it('finds the first large file of traces', async () => {
    const path = await fileOf('own.jsonl', traceLine('a'), 2 ** 23);
    expect(findEarlyFile(['score', '--json', path, path], 2)).toBe(path);
    expect(findEarlyFile(['score', path, '--jobs', '12'], 2)).toBe(path);
  });

  it('finds none for one core or job, or in any other file', async () => {
    const path = await fileOf('own.jsonl', traceLine('a'), 2 ** 23);
    expect(findEarlyFile(['score', path], 1)).toBeUndefined();
    expect(findEarlyFile(['score', path, '--jobs', '1'], 2)).toBeUndefined();
    expect(findEarlyFile(['score', '--jobs=1', path], 2)).toBeUndefined();
    const small = await fileOf('small.jsonl', traceLine('a'), 2 ** 22);
    const other = await fileOf('other.jsonl', '{"messages":[]}', 2 ** 23);
    const loop = join(folder, 'loop.jsonl');
    await symlink(loop, loop);
    const words = ['score', small, other, loop, join(folder, 'missing.jsonl'), folder, '-'];
    expect(findEarlyFile(words, 2)).toBeUndefined();
  });
});

describe('startEarly', () => {
  it('starts a worker for one command, which waits for its settings', async () => {
    expect(take()).toBeUndefined();
    startEarly(await fileOf('own.jsonl', traceLine('a'), 2 ** 23));
    const worker = take() as Worker;
    expect(take()).toBeUndefined();
    worker.postMessage({ settings: { options: {}, embedder: 'none' } });
    expect(await once(worker, 'message')).toEqual(['ready']);
  });
});
