import { describe, expect, it } from 'bun:test';
import { skipWaits } from '@kp/testing/waits';
import { BatchQueue, type PendingRequest } from './batch-queue.ts';
import { TransientError } from './log.ts';
import type { MemoryRequest } from './memory-backend.ts';
import { retryTransient } from './retry-transient.ts';
import { checkBytes, toBytes, VectorReader } from './vector-bytes.ts';

const request = (number: number): MemoryRequest => ({
  kind: 'nearest',
  vector: Float32Array.of(number),
});

/** A queue that answers each request with its number, and records the batches. */
function recordingQueue(maxBatchSize: number): { queue: BatchQueue; batches: number[][] } {
  const batches: number[][] = [];
  const numberOf = ({ request: { vector } }: PendingRequest): number => vector[0] as number;
  const queue = new BatchQueue(maxBatchSize, async (batch) => {
    batches.push(batch.map(numberOf));
    for (const pending of batch) pending.resolve({ comparedWith: numberOf(pending) });
  });
  return { queue, batches };
}

describe('BatchQueue', () => {
  it('answers pending requests in order, in batches of the maximum size', async () => {
    const { queue, batches } = recordingQueue(2);
    const answers = [1, 2, 3, 4, 5].map((number) => queue.add(request(number), undefined));
    expect(queue.pendingCount).toBe(5);
    expect((await Promise.all(answers)).map(({ comparedWith }) => comparedWith)).toEqual([
      1, 2, 3, 4, 5,
    ]);
    expect(batches).toEqual([[1, 2], [3, 4], [5]]);
    expect(queue.pendingCount).toBe(0);
  });

  it('drops requests whose signal is aborted before they are answered', async () => {
    const { queue, batches } = recordingQueue(2);
    const controller = new AbortController();
    const aborted = queue.add(request(1), controller.signal);
    const kept = queue.add(request(2), undefined);
    controller.abort(new Error('stopped'));
    await expect(aborted).rejects.toThrow('stopped');
    expect((await kept).comparedWith).toBe(2);
    expect(batches).toEqual([[2]]);
  });

  it('rejects a failed batch and answers the next one', async () => {
    let isBroken = true;
    const queue = new BatchQueue(9, async (batch) => {
      if (isBroken) throw new Error('broken');
      for (const { resolve } of batch) resolve({});
    });
    const outcomes = await Promise.allSettled([1, 2].map((i) => queue.add(request(i), undefined)));
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isBroken = false;
    expect(await queue.add(request(3), undefined)).toEqual({});
    const failed = queue.runExclusive(() => Promise.reject(new Error('failed')));
    await expect(failed).rejects.toThrow('failed');
    expect(await queue.runExclusive(async () => 7)).toBe(7);
  });

  it('answers pending requests before it closes', async () => {
    const { queue, batches } = recordingQueue(2);
    const answers = [1, 2, 3].map((number) => queue.add(request(number), undefined));
    let answered = 0;
    await queue.close(async () => {
      answered = batches.flat().length;
    });
    await Promise.all(answers);
    expect(answered).toBe(3);
  });
});

describe('retryTransient', () => {
  const failing = (times: number) => {
    let calls = 0;
    return async () => {
      calls++;
      if (calls <= times) throw new TransientError('lost', { cause: new Error('the cause') });
      return calls;
    };
  };

  it('retries with back-off and warns once', async () => {
    const warnings: string[] = [];
    const onWarning = ({ code, message }: { code: string; message: string }) =>
      void warnings.push(`${code} ${message}`);
    const waits = skipWaits();
    try {
      const options = { timeoutMs: 60_000, onWarning };
      expect(await retryTransient('a log', options, failing(7))).toBe(8);
    } finally {
      waits.restore();
    }
    expect(waits.asked).toEqual([20, 40, 80, 160, 320, 500, 500]);
    expect(warnings).toEqual(['MEMORY_RETRIED a log: lost; retrying']);
  });

  it('fails before a pause that would exceed the timeout', async () => {
    const options = { timeoutMs: 20, onWarning: () => expect.unreachable() };
    await expect(retryTransient('a log', options, failing(9))).rejects.toMatchObject({
      code: 'MEMORY_UNAVAILABLE',
      message:
        'a log: expected an answer within 20 ms, received lost; ' +
        'the operation may still take effect; it is safe to repeat it',
      cause: { code: 'MEMORY_TRANSIENT', cause: new Error('the cause') },
    });
  });

  it('does not retry other errors', async () => {
    const options = { timeoutMs: 1000, onWarning: () => expect.unreachable() };
    const call = () => Promise.reject(new RangeError('wrong'));
    await expect(retryTransient('a log', options, call)).rejects.toThrow(RangeError);
  });
});

describe('bytes of vectors', () => {
  it('are little-endian float32 of only the vector', () => {
    const all = Float32Array.of(7, 1, -2, 7);
    expect([...toBytes(all.subarray(1, 3))]).toEqual([0, 0, 128, 63, 0, 0, 0, 192]);
    const reader = new VectorReader(2);
    expect([...reader.read(toBytes(all.subarray(1, 3)))]).toEqual([1, -2]);
    expect([...reader.read(Float32Array.of(3, 4))]).toEqual([3, 4]);
    expect(() => checkBytes(new Uint8Array(8), 3, 'row 1')).toThrow(
      'row 1: expected a vector of 12 bytes, received 8; restore the memory from a backup',
    );
  });
});
