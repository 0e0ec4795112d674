import { type UsageError, wrongUse } from '../output/errors.ts';
import { grouped } from '../output/text.ts';
import { type DoneTask, doneName, readDone, shardsInName, taskName } from './done-task.ts';
import type { MapFacts } from './read-shard.ts';
import type { Store } from './store.ts';

/** The record of a shard. */
export type Shard = DoneTask<MapFacts>;

/** Returns the number of shards that an earlier run began; undefined if none is complete. */
export async function startedShards(store: Store): Promise<number | undefined> {
  const [first] = await shardRecords(store);
  return first === undefined ? undefined : shardsInName(first);
}

/**
 * Refuses another division than that of the shards that are complete: no later stage would read both.
 *
 * @param option - the option with the number of shards.
 * @throws UsageError
 */
export async function refuseOtherDivision(store: Store, of: number, option: string): Promise<void> {
  const other = (await shardRecords(store)).map(shardsInName).find((amount) => amount !== of);
  if (other === undefined) return;
  const expected = `${other}, the number of shards in ${store.location}`;
  throw wrongUse(option, expected, String(of), 'use another folder for another number');
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
  const otherDivision = findOtherDivision(store, names);
  if (otherDivision !== undefined) throw otherDivision;
  const of = shardsInName(first) as number;
  if (names.length < of) throw missingShards(store, new Set(names), of);
  const shards: Shard[] = [];
  for (let index = 0; index < of; index++) {
    shards.push(await readDone<MapFacts>(store, taskName('map', index, of)));
  }
  const otherCorpus = findOtherCorpus(store, shards);
  if (otherCorpus !== undefined) throw otherCorpus;
  return shards;
}

/** Describes shards of several divisions; undefined if all are of one. @param names - of objects of the store. */
export function findOtherDivision(store: Store, names: readonly string[]): UsageError | undefined {
  const amounts = [...new Set(names.flatMap((name) => shardsInName(name) ?? []))];
  if (amounts.length <= 1) return undefined;
  const received = `shards of ${amounts.join(' and of ')}`;
  const remedy = 'use another folder, or remove map-*.done of the wrong division';
  return wrongUse(store.location, 'one division of the runs', received, remedy);
}

/** Describes the first shard of another corpus than that of the first one; undefined if there is none. */
export function findOtherCorpus(store: Store, shards: readonly Shard[]): UsageError | undefined {
  const other = shards.find(({ facts }) => facts.corpus !== shards[0]?.facts.corpus);
  if (other === undefined) return undefined;
  return wrongUse(
    `${store.location}/${doneName(other.task)}`,
    'a shard of the same recordings and options as the others',
    'a shard of other inputs',
    'use one folder for each corpus',
  );
}

/**
 * Returns the files that contain no recording, in the order of the input. A file of several shards is
 * one of them only if no shard found a recording in its part.
 */
export function filesWithoutRecording(
  shards: readonly { readonly facts: Pick<MapFacts, 'foreign' | 'spans'> }[],
): readonly string[] {
  const found = new Set<string>();
  const others = new Set<string>();
  for (const { facts } of shards) {
    const foreign = new Set(facts.foreign);
    for (const { file } of facts.spans) (foreign.has(file) ? found : others).add(file);
  }
  return [...found].filter((file) => !others.has(file));
}

/** Most numbers of missing shards in a message, which would otherwise hide what to do. */
const MOST_NAMED = 10;

function missingShards(store: Store, names: ReadonlySet<string>, of: number): UsageError {
  const missing: number[] = [];
  for (let index = 0; missing.length < MOST_NAMED && index < of; index++) {
    if (!names.has(doneName(taskName('map', index, of)))) missing.push(index);
  }
  const more = of - names.size - missing.length;
  const others = more > 0 ? ` and ${grouped(more)} more` : '';
  const remedy = `run kp corpus map --shard ${missing[0]} --of ${of}`;
  const received = `${grouped(names.size)}; missing: ${missing.join(', ')}${others}`;
  return wrongUse(store.location, `${grouped(of)} shards`, received, remedy);
}

/** Names of the records of complete shards. */
async function shardRecords(store: Store): Promise<readonly string[]> {
  return (await store.list()).filter((name) => shardsInName(name) !== undefined).sort();
}
