import { describe, expect, it } from 'bun:test';
import { createStateReader, gaugesOf, type StateSources } from './work-state.ts';

const shards = { waiting: 8, active: 4, failed: 6, oldestSeconds: 2.5 };
const queue = { waiting: 3, active: 2, failed: 1, oldestSeconds: 9.5, shards };

function readerOf(sources: Partial<StateSources>) {
  return createStateReader({
    queueState: async () => queue,
    memoryFacts: async () => ({ entries: 5, bytes: 6, lag: 7 }),
    ...sources,
  });
}

describe('the state of a worker', () => {
  it('has a gauge for each fact', async () => {
    const gauges = gaugesOf(await readerOf({})());
    expect(gauges.map(({ id, label = '', value }) => `${id} ${label} ${value}`)).toEqual([
      'reachable queue 1',
      'queueDepth waiting 3',
      'queueDepth active 2',
      'queueDepth failed 1',
      'oldestAge  9.5',
      'shardDepth waiting 8',
      'shardDepth active 4',
      'shardDepth failed 6',
      'oldestShardAge  2.5',
      'reachable memory 1',
      'memoryEntries  5',
      'memorySize  6',
      'memoryLag  7',
    ]);
  });

  it('reports failures and time-outs, and omits only their gauges', async () => {
    const state = await readerOf({
      queueState: () => Promise.reject(new Error('refused by postgres://kp:secret@db/kp')),
      memoryFacts: () => new Promise(() => undefined),
    })();
    expect(state.queue.problem).toBe('refused by postgres://kp:***@db/kp');
    expect(state.memory?.problem).toBe('no answer within 2 s');
    expect(gaugesOf(state)).toEqual([
      { id: 'reachable', label: 'queue', value: 0 },
      { id: 'reachable', label: 'memory', value: 0 },
    ]);
  });

  it('distinguishes a memory that is being opened from none', async () => {
    const opening = await readerOf({ memoryFacts: () => undefined })();
    expect(opening.memory?.problem).toBe('the memory is being opened');
    const none = await readerOf({ memoryFacts: () => null })();
    expect(none.memory).toBeUndefined();
    expect(gaugesOf(none).some(({ label }) => label === 'memory')).toBe(false);
  });

  it('shares one query between concurrent probes', async () => {
    let asked = 0;
    const read = readerOf({
      queueState: async () => {
        asked++;
        return queue;
      },
    });
    await Promise.all([read(), read()]);
    await read();
    expect(asked).toBe(1);
  });
});
