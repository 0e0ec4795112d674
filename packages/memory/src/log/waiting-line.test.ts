import { describe, expect, it, spyOn } from 'bun:test';
import type { MemoryAnswer } from '@kp/scoring';
import { skipWaits } from '@kp/testing/waits';
import { TransientError } from './log.ts';
import { persist } from './persist.ts';
import type { Question, Waiting } from './question.ts';
import { checkBytes, toBytes, VectorReader } from './vector-bytes.ts';
import { WaitingLine } from './waiting-line.ts';

const question = (at: number): Question => ({
  kind: 'nearest',
  vector: Float32Array.of(at),
  floor: at,
});

/** A line that answers each with its own number, and notes who was answered together. */
function lineOf(most: number): { line: WaitingLine; batches: number[][] } {
  const batches: number[][] = [];
  const numberOf = ({ question: { vector } }: Waiting): number => vector[0] as number;
  const line = new WaitingLine(most, async (batch) => {
    batches.push(batch.map(numberOf));
    for (const waiting of batch) waiting.resolve({ comparedWith: numberOf(waiting) });
  });
  return { line, batches };
}

describe('WaitingLine', () => {
  it('answers those who wait together, as many as may be, in their order', async () => {
    const { line, batches } = lineOf(2);
    const asked = [1, 2, 3, 4, 5].map((at) => line.ask(question(at), undefined));
    expect(line.waiting).toBe(5);
    const answers = await Promise.all(asked);
    expect(answers.map(({ comparedWith }) => comparedWith)).toEqual([1, 2, 3, 4, 5]);
    expect(batches).toEqual([[1, 2], [3, 4], [5]]);
    expect(line.waiting).toBe(0);
    await line.ask(question(6), undefined);
    expect(batches.at(-1)).toEqual([6]);
  });

  it('listens to a signal no longer than it is waited for', async () => {
    const { signal } = new AbortController();
    const added = spyOn(signal, 'addEventListener');
    const removed = spyOn(signal, 'removeEventListener');
    const { line } = lineOf(1);
    await line.ask(question(1), signal);
    const failing = new WaitingLine(1, () => Promise.reject(new Error('refused')));
    await expect(failing.ask(question(2), signal)).rejects.toThrow('refused');
    expect(added).toHaveBeenCalledTimes(2);
    expect(removed.mock.calls.map(([, listener]) => listener)).toEqual(
      added.mock.calls.map(([, listener]) => listener) as never,
    );
  });

  it('ends when the last thing is done, and as it ends', async () => {
    const { line } = lineOf(1);
    let isDone = false;
    const last = async (): Promise<void> => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      isDone = true;
    };
    await line.end(last);
    expect(isDone).toBe(true);
    const failing = lineOf(1).line.end(() => Promise.reject(new Error('not closed')));
    await expect(failing).rejects.toThrow('not closed');
  });

  it('leaves out who waits no longer, and asks nothing for nobody', async () => {
    const { line, batches } = lineOf(2);
    const [early, late] = [new AbortController(), new AbortController()];
    const gone = line.ask(question(1), early.signal);
    const stays = line.ask(question(2), late.signal);
    early.abort(new Error('enough'));
    await expect(gone).rejects.toThrow('enough');
    expect((await stays).comparedWith).toBe(2);
    expect(batches).toEqual([[2]]);
    const other = new AbortController();
    const alone = line.ask(question(3), other.signal);
    other.abort(new Error('also'));
    await expect(alone).rejects.toThrow('also');
    await line.alone(async () => undefined);
    expect(batches).toHaveLength(1);
    late.abort(new Error('too late'));
    expect((await stays).comparedWith).toBe(2);
  });

  it('rejects a batch that fails, and goes on with the next', async () => {
    let isBroken = true;
    const line = new WaitingLine(9, async (batch) => {
      if (isBroken) throw new Error('broken');
      for (const { resolve } of batch) resolve({});
    });
    const asked = [1, 2].map((at) => line.ask(question(at), undefined));
    const outcomes = await Promise.allSettled(asked);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(outcomes[1]).toMatchObject({ reason: new Error('broken') });
    isBroken = false;
    expect(await line.ask(question(3), undefined)).toEqual({});
    await expect(line.alone(async () => Promise.reject(new Error('alone')))).rejects.toThrow(
      'alone',
    );
    expect(await line.alone(async () => 7)).toBe(7);
  });

  it('answers what waits before the last thing is done', async () => {
    const { line, batches } = lineOf(2);
    const done: string[] = [];
    const asked = [1, 2, 3].map((at) => line.ask(question(at), undefined));
    const ended = line.end(async () => {
      done.push(`ended after ${batches.flat().length}`);
    });
    await Promise.all([...asked, ended] as Promise<MemoryAnswer | undefined>[]);
    expect(done).toEqual(['ended after 3']);
  });
});

describe('persist', () => {
  const failing = (times: number) => {
    let calls = 0;
    return async () => {
      calls++;
      if (calls <= times) throw new TransientError('lost', { cause: new Error('the cause') });
      return calls;
    };
  };

  it('calls again what may pass, warns once, and hands the deadline on', async () => {
    const codes: string[] = [];
    const onWarning = ({ code, message }: { code: string; message: string }) =>
      codes.push(`${code} ${message}`);
    const deadlines: number[] = [];
    const call = failing(2);
    const startedAt = performance.now();
    const answer = await persist('a log', { timeoutMs: 60_000, onWarning }, (deadline) => {
      deadlines.push(deadline);
      return call();
    });
    expect(answer).toBe(3);
    expect(codes).toEqual(['MEMORY_RETRIED a log: lost; trying again']);
    expect(new Set(deadlines).size).toBe(1);
    expect((deadlines[0] as number) - startedAt).toBeGreaterThanOrEqual(60_000);
    // Pauses of 20 and of 40 ms.
    expect(performance.now() - startedAt).toBeGreaterThan(55);
  });

  it('waits twice as long each time, and half a second at most', async () => {
    const waits = skipWaits();
    try {
      const options = { timeoutMs: 60_000, onWarning: () => undefined };
      expect(await persist('a log', options, failing(7))).toBe(8);
    } finally {
      waits.restore();
    }
    expect(waits.asked).toEqual([20, 40, 80, 160, 320, 500, 500]);
  });

  it('gives up before a pause that would end after the time-out', async () => {
    const warnings: unknown[] = [];
    const options = { timeoutMs: 20, onWarning: (warning: unknown) => void warnings.push(warning) };
    const given = persist('a log', options, failing(9));
    await expect(given).rejects.toMatchObject({
      code: 'MEMORY_UNAVAILABLE',
      subject: 'a log',
      expected: 'an answer within 20 ms',
      received: 'lost',
      message:
        'a log: expected an answer within 20 ms, received lost; ' +
        'what was sent may still be remembered; asking again does no harm',
      cause: new Error('the cause'),
    });
    expect(warnings).toEqual([]);
  });

  it('throws at once what does not pass', async () => {
    let calls = 0;
    const call = async () => {
      calls++;
      throw new RangeError('wrong');
    };
    const options = { timeoutMs: 1000, onWarning: () => expect.unreachable() };
    await expect(persist('a log', options, call)).rejects.toThrow(RangeError);
    expect(calls).toBe(1);
  });
});

describe('bytes of vectors', () => {
  it('are little-endian float32, of the vector alone', () => {
    const all = Float32Array.of(7, 1, -2, 7);
    expect([...toBytes(all.subarray(1, 3))]).toEqual([0, 0, 128, 63, 0, 0, 0, 192]);
    const reader = new VectorReader(2);
    expect([...reader.read(toBytes(all.subarray(1, 3)))]).toEqual([1, -2]);
    expect([...reader.read(Float32Array.of(3, 4))]).toEqual([3, 4]);
  });

  it('are checked by their number', () => {
    const bytes = new Uint8Array(8);
    expect(checkBytes(bytes, 2, 'row 1')).toBe(bytes);
    for (const dimensions of [1, 3]) {
      expect(() => checkBytes(bytes, dimensions, 'row 1')).toThrow(
        `row 1: expected a vector of ${dimensions * 4} bytes, received 8; restore the memory from a backup, or name another`,
      );
    }
  });

  it('have another fingerprint when any number, or their order, is another', () => {
    for (const dimensions of [1, 3, 4, 5, 7, 8, 9]) {
      const reader = new VectorReader(dimensions);
      const printOf = (vector: Float32Array): number => {
        reader.read(vector);
        return reader.fingerprint();
      };
      const base = Float32Array.from({ length: dimensions }, (_, at) => at + 1);
      const prints = [printOf(base)];
      for (let at = 0; at < dimensions; at++) {
        prints.push(printOf(base.map((value, index) => (index === at ? value + 0.5 : value))));
      }
      if (dimensions > 1) prints.push(printOf(base.toReversed()));
      expect(new Set(prints).size).toBe(prints.length);
      expect(printOf(base)).toBe(prints[0] as number);
      expect(prints.every(Number.isInteger)).toBe(true);
    }
  });
});
