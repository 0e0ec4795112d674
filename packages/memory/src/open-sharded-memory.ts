import { InvalidTypeError, InvalidValueError } from '@kp/foundation';
import type { DurableMemory } from './log/durable-memory.ts';
import { MemoryStoreError } from './log/errors.ts';
import type { MemoryOptions } from './log/options.ts';
import { openMemory } from './open-memory.ts';
import { ShardedMemory } from './sharded-memory.ts';

/** One shard: a location, or a namespace of it. */
export type ShardLocation = string | { readonly location: string; readonly namespace?: string };

/**
 * Opens several memories as one, so that each has a part of the appends.
 *
 * A trace is remembered in one shard, which its vector decides, and is compared with all of them: the
 * most similar trace of all shards is exactly the most similar one. An exact repeat goes to the shard
 * of the first one, so of exact repeats one is new, however many processes ask at once. Of different
 * traces that are similar, in different shards and asked for at the same time, at most one is called
 * new; both may be called repeats of each other. There is no order of all appends: a trace that is
 * delivered again may be compared with traces of other shards that came after it, and with
 * `sameId: 'replace'` another content under the same id leaves the earlier one in its shard.
 *
 * @param locations - at least one; the same for all processes. Shards can be added later.
 * @param options - for each shard: `maxElements` counts for each.
 * @throws {@link MemoryStoreError}
 */
export async function openShardedMemory(
  locations: readonly ShardLocation[],
  options: MemoryOptions = {},
): Promise<DurableMemory> {
  if (!Array.isArray(locations)) {
    throw new InvalidTypeError('locations', 'an array', locations);
  }
  const asked = locations.map((each: ShardLocation) =>
    typeof each === 'string' ? { location: each } : each,
  );
  const names = new Set(
    asked.map(({ location, namespace = options.namespace }) =>
      JSON.stringify([location, namespace]),
    ),
  );
  if (asked.length === 0 || names.size < asked.length) {
    throw new InvalidValueError('locations', 'at least one, and each once', locations);
  }
  const opened = await Promise.allSettled(
    asked.map(({ location, namespace = options.namespace }) =>
      openMemory(location, { ...options, ...(namespace !== undefined && { namespace }) }),
    ),
  );
  const shards = opened.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  try {
    for (const each of opened) if (each.status === 'rejected') throw each.reason;
    checkSameEmbedder(shards);
    return new ShardedMemory(shards);
  } catch (error) {
    await Promise.allSettled(shards.map((shard) => shard.close()));
    throw error;
  }
}

function checkSameEmbedder([first, ...others]: readonly DurableMemory[]): void {
  const spaceOf = (memory: DurableMemory | undefined): string =>
    `${memory?.embedderId} of ${memory?.dimensions} dimensions`;
  const different = others.find((each) => spaceOf(each) !== spaceOf(first));
  if (different === undefined) return;
  throw new MemoryStoreError({
    code: 'MEMORY_MISMATCH',
    subject: 'shards',
    expected: `the embedder of the first one, ${spaceOf(first)}`,
    received: spaceOf(different),
  });
}
