import { afterEach, describe, expect, it } from 'bun:test';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { useFolder } from '@kp/testing/folder';
import { traceLine } from '../../test/traces.ts';
import { startEarly, takeEarlyWorker } from './early-worker.ts';

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

describe('startEarly', () => {
  it('starts one worker for a large file of traces, which waits for its settings', async () => {
    const path = await fileOf('own.jsonl', traceLine('a'), 2 ** 23);
    startEarly(['score', path, '--json', path], 2);
    const worker = take() as Worker;
    expect(take()).toBeUndefined();
    worker.postMessage({ settings: { options: {}, embedder: 'none' } });
    expect(await once(worker, 'message')).toEqual(['ready']);
  });

  it('starts none for one core or job, and for any other file', async () => {
    const path = await fileOf('own.jsonl', traceLine('a'), 2 ** 23);
    startEarly(['score', path], 1);
    startEarly(['score', path, '--jobs', '1'], 2);
    startEarly(['score', '--jobs=1', path], 2);
    startEarly(['score', await fileOf('small.jsonl', traceLine('a'), 2 ** 22)], 2);
    startEarly(['score', await fileOf('other.jsonl', '{"messages":[]}', 2 ** 23)], 2);
    startEarly(['score', join(folder, 'missing.jsonl'), folder, '-'], 2);
    expect(take()).toBeUndefined();
    startEarly(['score', path, '--jobs', '12'], 2);
    expect(take()).toBeDefined();
  });
});
