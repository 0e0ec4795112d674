import { wrongUse } from '../output/errors.ts';
import { type DoneTask, readDone, taskName } from './done-task.ts';
import type { MapFacts } from './read-shard.ts';
import type { Store } from './store.ts';

/** The record of a shard. */
export type Shard = DoneTask<MapFacts>;

/** Returns the number of shards that an earlier run began; undefined if none is complete. */
export async function startedShards(store: Store): Promise<number | undefined> {
  const [first] = await shardRecords(store);
  return first === undefined ? undefined : amountIn(first);
}

/**
 * Reads the records of all shards.
 *
 * @throws UsageError if a shard is missing, or one belongs to another corpus.
 */
export async function readShards(store: Store): Promise<readonly Shard[]> {
  const names = await shardRecords(store);
  const [first] = names;
  if (first === undefined) {
    throw wrongUse(store.location, 'the shards of kp corpus map', 'none');
  }
  const amounts = [...new Set(names.map(amountIn))];
  const of = amounts[0] as number;
  if (amounts.length > 1) {
    const received = `shards of ${amounts.join(' and of ')}`;
    throw wrongUse(store.location, 'one division of the runs', received, 'use another folder');
  }
  const missing = Array.from({ length: of }, (_, index) => index).filter(
    (index) => !names.includes(`${taskName('map', index, of)}.done`),
  );
  if (missing.length > 0) {
    const remedy = `run kp corpus map --shard ${missing[0]} --of ${of}`;
    throw wrongUse(store.location, `${of} shards`, `none of number ${missing.join(', ')}`, remedy);
  }
  const shards: Shard[] = [];
  for (let index = 0; index < of; index++) {
    const shard = await readDone<MapFacts>(store, taskName('map', index, of));
    if (shard.facts.corpus !== (shards[0] ?? shard).facts.corpus) {
      throw wrongUse(
        `${store.location}/${shard.task}.done`,
        'a shard of the same recordings and options as the others',
        'a shard of other inputs',
        'use one folder for each corpus',
      );
    }
    shards.push(shard);
  }
  return shards;
}

async function shardRecords(store: Store): Promise<readonly string[]> {
  return (await store.list()).filter((name) => /^map-\d+-of-\d+\.done$/.test(name)).sort();
}

/** The M of `map-I-of-M.done`. */
function amountIn(record: string): number {
  return Number(record.split(/\D+/)[2]);
}
