import { describe, expect, it } from 'bun:test';
import { failureOf } from '../../test/load.ts';
import type { Answers } from '../log/answers.ts';
import type { StoredEntry } from '../log/log.ts';
import type { Question } from '../log/question.ts';
import { followMoves } from './follow-moves.ts';
import { SpaceGoneError } from './postgres-errors.ts';

const space = {
  namespace: 'moved',
  embedderId: 'two',
  dimensions: 2,
  maxElements: 9,
  ttlMs: 60_000,
};
const question: Question = { kind: 'nearest', vector: Float32Array.of(1, 0), floor: undefined };
const entryOf = (key: string): StoredEntry => ({ key, vector: question.vector, addedAt: 7 });

/** Who answers by a name of its own, and may be told that the namespace is gone. */
function answersOf(name: string, calls: string[]) {
  let gone: Error | undefined;
  const told = async <T>(call: string, value: T): Promise<T> => {
    calls.push(`${name} ${call}`);
    await Promise.resolve();
    if (gone !== undefined) throw gone;
    return value;
  };
  const answers: Answers = {
    engine: name,
    space: { ...space, embedderId: name },
    waiting: name.length,
    ask: () => told('ask', { nearest: { key: name, similarity: 1 } }),
    size: () => told('size', 3),
    forget: (key) => told(`forget ${key}`, 2),
    facts: () => told('facts', { index: name }),
    async *stored() {
      yield entryOf(`${name} 1`);
      await told('stored', undefined);
      yield entryOf(`${name} 2`);
    },
    close: () => told('close', undefined),
  };
  return { answers, leave: (error: Error = new SpaceGoneError('gone')) => (gone = error) };
}

/** A namespace at `log`, and at `hnsw` after it has gone. */
function moving() {
  const calls: string[] = [];
  const [log, hnsw] = [answersOf('log', calls), answersOf('hnsw', calls)];
  const enter = async (): Promise<Answers> => {
    calls.push('enter');
    await Bun.sleep(2);
    return hnsw.answers;
  };
  const followed = followMoves(log.answers, enter, async () => void calls.push('leave'));
  return { followed, calls, log, hnsw };
}

describe('followMoves', () => {
  it('is whoever answers now', async () => {
    const { followed, calls, log } = moving();
    expect(followed).toMatchObject({ engine: 'log', waiting: 3, space: { embedderId: 'log' } });
    expect(await followed.size()).toBe(3);
    expect(await followed.forget('a')).toBe(2);
    expect(await followed.facts()).toEqual({ index: 'log' });
    expect((await followed.ask(question, undefined)).nearest?.key).toBe('log');
    expect(calls).toEqual(['log size', 'log forget a', 'log facts', 'log ask']);
    log.leave();
    expect(await followed.forget('a')).toBe(2);
    expect(followed).toMatchObject({ engine: 'hnsw', waiting: 4, space: { embedderId: 'hnsw' } });
    expect(calls.slice(4)).toEqual(['log forget a', 'enter', 'hnsw forget a']);
  });

  it('enters once for all who find it gone, also for one who is told late', async () => {
    const { followed, calls, log } = moving();
    const { promise: told, resolve: tell } = Promise.withResolvers<void>();
    const late = followed.ask(question, undefined);
    const { ask } = log.answers;
    log.answers.ask = () => told.then(() => ask(question, undefined));
    const later = followed.ask(question, undefined);
    log.leave();
    await Promise.all([late, followed.size(), followed.facts()]);
    expect(calls.filter((call) => call === 'enter')).toHaveLength(1);
    tell();
    expect((await later).nearest?.key).toBe('hnsw');
    expect(calls.filter((call) => call === 'enter')).toHaveLength(1);
  });

  it('follows from move to move', async () => {
    const calls: string[] = [];
    const places = ['a', 'b', 'c'].map((name) => answersOf(name, calls));
    let at = 0;
    const enter = async () => places[++at]?.answers as Answers;
    const followed = followMoves(places[0]?.answers as Answers, enter, async () => undefined);
    places[0]?.leave();
    places[1]?.leave();
    expect((await followed.ask(question, undefined)).nearest?.key).toBe('c');
    expect(at).toBe(2);
  });

  it('tells any other failure, and goes nowhere', async () => {
    const { followed, calls, log } = moving();
    log.leave(new Error('refused'));
    await expect(followed.size()).rejects.toThrow('refused');
    await expect(Array.fromAsync(followed.stored())).rejects.toThrow('refused');
    expect(calls).not.toContain('enter');
    const { followed: listed, log: listing } = moving();
    const entries = listed.stored()[Symbol.asyncIterator]();
    await entries.next();
    const refused = new Error('refused');
    listing.leave(refused);
    expect(await failureOf(entries.next())).toBe(refused as never);
  });

  it('asks no more for whom has given up meanwhile', async () => {
    const { followed, calls, log } = moving();
    const stop = new AbortController();
    log.leave();
    const asked = followed.ask(question, stop.signal);
    stop.abort(new Error('enough'));
    await expect(asked).rejects.toThrow('enough');
    expect(calls).toEqual(['log ask', 'enter']);
  });

  it('lists what is there after a move, and says when one comes between', async () => {
    const { followed, log, hnsw } = moving();
    log.leave();
    const keys = (await Array.fromAsync(followed.stored())).map(({ key }) => key);
    expect(keys).toEqual(['hnsw 1', 'hnsw 2']);
    const listing = followed.stored()[Symbol.asyncIterator]();
    expect(await listing.next()).toMatchObject({ value: { key: 'hnsw 1' } });
    hnsw.leave();
    expect(await failureOf(listing.next())).toMatchObject({
      code: 'MEMORY_UNAVAILABLE',
      cause: expect.any(SpaceGoneError),
      message:
        'namespace "moved": expected one that stays while it is listed, received one that was ' +
        'moved meanwhile; begin again',
    });
  });

  it('closes whoever answers last, then leaves', async () => {
    const { followed, calls, log } = moving();
    log.leave();
    await followed.size();
    calls.length = 0;
    await followed.close();
    expect(calls).toEqual(['hnsw close', 'leave']);
  });
});
