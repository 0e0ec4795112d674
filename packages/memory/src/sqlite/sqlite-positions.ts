import { MemoryStoreError } from '../log/errors.ts';

/**
 * A position has the number of its namespace in the bits from this one on, so that the rows of one
 * lie together without an index. All its bits are 53, which a number holds.
 */
export const POSITION_BITS = 37;

const MAX_NAMESPACES = 2 ** (53 - POSITION_BITS) - 1;

/** The positions of a namespace are after `start` and before `end`. */
export interface Positions {
  readonly start: number;
  readonly end: number;
}

/** @throws {@link MemoryStoreError} `MEMORY_FULL` when a position has no room for the number. */
export function positionsOf(spaceId: number): Positions {
  if (spaceId <= MAX_NAMESPACES) {
    return { start: spaceId * 2 ** POSITION_BITS, end: (spaceId + 1) * 2 ** POSITION_BITS };
  }
  throw new MemoryStoreError({
    code: 'MEMORY_FULL',
    subject: 'SQLite file',
    expected: `at most ${MAX_NAMESPACES} namespaces`,
    received: `number ${spaceId}`,
    remedy: 'name another file',
  });
}

/** @throws {@link MemoryStoreError} `MEMORY_FULL` when a position is past those of its namespace. */
export function checkPosition(position: number, { end }: Positions, namespace: string): void {
  if (position < end) return;
  throw new MemoryStoreError({
    code: 'MEMORY_FULL',
    subject: `namespace ${JSON.stringify(namespace)}`,
    expected: 'at most 137 billion rows in all its time',
    received: 'one more',
    remedy: 'export it, and import it into a new namespace',
  });
}
