import { afterEach, describe, expect, it } from 'bun:test';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { traceLine } from '../../test/traces.ts';
import { PreparedRun } from '../runs/prepared-run.ts';
import { createLinePool, type LinePoolOptions } from './line-pool.ts';

const settings = { options: {}, embedder: 'lexical' } as const;
const stops: AbortController[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop.abort();
});

function poolOf(options: Partial<LinePoolOptions> = {}) {
  const failures: unknown[] = [];
  const stop = new AbortController();
  stops.push(stop);
  const pool = createLinePool({
    workers: 2,
    settings,
    stopped: stop.signal,
    onFailure: (error) => failures.push(error),
    ...options,
  });
  return { pool, failures, stop };
}

function block(text: string, line = 1) {
  const encoded = new TextEncoder().encode(text);
  const bytes = new Uint8Array(new SharedArrayBuffer(encoded.length));
  bytes.set(encoded);
  return { bytes, line, breaks: text.split('\n').length - 1, file: 'runs.jsonl' };
}

describe('createLinePool', () => {
  it('prepares the traces of blocks in workers, in the order in which they are taken', async () => {
    const { pool, failures } = poolOf();
    const trace = traceLine('a');
    const takes = Array.from({ length: 20 }, (_, index) =>
      pool.prepare(block(`${trace}\n{"broken\n\n${trace}\n`, 1 + 4 * index)),
    );
    for (const [index, take] of takes.entries()) {
      const lines = await take();
      const first = 1 + 4 * index;
      expect(lines?.unread).toMatchObject([{ line: first + 1 }]);
      expect(lines?.prepared).toMatchObject([{ line: first }, { line: first + 3 }]);
      const run = lines?.prepared[1] as PreparedRun;
      expect(run).toBeInstanceOf(PreparedRun);
      expect(run.fields).toMatchObject({ file: 'runs.jsonl', line: first + 3, format: 'kp' });
      expect(run.trace.embedding?.vector.length).toBe(384);
    }
    expect(failures).toEqual([]);
  });

  it('leaves the blocks of a worker that crashes to the import', async () => {
    const program = `
      const { parentPort } = require('node:worker_threads');
      parentPort.postMessage('ready');
      parentPort.on('message', () => { throw new Error('out of memory'); });
    `;
    const { pool, failures } = poolOf({ start: () => new Worker(program, { eval: true }) });
    const takes = Array.from({ length: 9 }, () => pool.prepare(block('{}\n')));
    for (const take of takes) expect(await take()).toBeUndefined();
    expect(failures.map(String)).toEqual(Array(2).fill('Error: out of memory'));
    expect(pool.prepare(block('{}\n'))()).toBeUndefined();
  });

  it('leaves everything to the import if no worker starts', async () => {
    const start = () => new Worker(new URL('file:///no/such/worker.js'));
    const { pool, failures } = poolOf({ start });
    expect(await pool.prepare(block('{}\n'))()).toBeUndefined();
    expect(failures).toHaveLength(2);
  });

  it('ends its workers when it is stopped, without a failure', async () => {
    const started: Worker[] = [];
    const start = () => {
      const worker = new Worker('setInterval(() => 0, 1000)', { eval: true });
      started.push(worker);
      return worker;
    };
    const { pool, failures, stop } = poolOf({ start });
    const take = pool.prepare(block('{}\n'));
    const ended = started.map((worker) => once(worker, 'exit'));
    stop.abort();
    expect(await take()).toBeUndefined();
    await Promise.all(ended);
    expect(failures).toEqual([]);
  });
});
