import { describe, expect, it } from 'bun:test';
import { failureOf } from '../../test/load.ts';
import { TransientError } from './log.ts';
import { retryTransient } from './retry-transient.ts';

/** Fails with these messages one after the other, and with the last one for ever. */
function failing(messages: readonly string[]) {
  const warnings: string[] = [];
  const left = [...messages];
  const options = {
    timeoutMs: 500,
    onWarning: (w: { message: string }) => warnings.push(w.message),
  };
  const ended = retryTransient('redis', options, async () => {
    throw new TransientError((left.length > 1 ? left.shift() : left[0]) ?? '');
  });
  return failureOf(ended).then(({ message }) => ({ message, warnings }));
}

describe('retryTransient', () => {
  it('names the first failure too if the last one differs', async () => {
    const { message, warnings } = await failing(['connection refused', 'no answer in time']);
    expect(message).toContain(
      'expected an answer within 500 ms, received no answer in time (at first: connection refused)',
    );
    expect(warnings).toEqual(['redis: connection refused; retrying']);
  });

  it('names one failure once', async () => {
    const { message } = await failing(['connection refused']);
    expect(message).toContain('received connection refused;');
  });

  it('rejects at once with an error that does not pass', async () => {
    const options = { timeoutMs: 60_000, onWarning: () => undefined };
    const refused = Object.assign(new Error('WRONGPASS'), { code: 'WRONGPASS' });
    const ended = retryTransient('redis', options, () => Promise.reject(refused));
    expect(await failureOf(ended)).toBe(refused);
  });
});
