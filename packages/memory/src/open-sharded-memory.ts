import { assertType, InvalidValueError } from '@kp/foundation';
import type { DurableMemory } from './log/durable-memory.ts';
import { MemoryStoreError } from './log/errors.ts';
import type { MemoryOptions } from './log/options.ts';
import { openMemory } from './open-memory.ts';
import { ShardedMemory } from './sharded-memory.ts';

/** One shard: a location, or a location and a namespace. */
export type ShardLocation = string | { readonly location: string; readonly namespace?: string };

/**
 * Opens several memories as one, which distributes the appends. The vector of a trace determines
 * the shard that remembers it. The trace is compared with all shards, so the result is exactly the
 * most similar trace. An exact repeat goes to the shard of the original, so exactly one of several
 * repeats is new, regardless of the number of concurrent processes. If similar but different traces
 * in different shards arrive at the same time, at most one is reported as new, and both may be
 * reported as repeats of each other. There is no order of all appends: a trace that is delivered
 * again may be compared with traces of other shards that came after it, and with `sameId:
 * 'replace'`, different content with the same id may go to another shard, and the earlier entry
 * then stays in its shard.
 *
 * @param locations - at least one; the same for all processes. Shards can be added later.
 * @param options - for each shard: `maxElements` counts for each.
 * @throws {@link MemoryStoreError}
 */
export async function openShardedMemory(
  locations: readonly ShardLocation[],
  options: MemoryOptions = {},
): Promise<DurableMemory> {
  assertType('locations', 'an array', locations);
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
