import { MemoryStoreError } from '../log/errors.ts';

/**
 * The higher bits of a position, from this one on, are the number of its namespace, so that the
 * rows of a namespace are adjacent without an index. A position has 53 bits, which fit in a number.
 */
export const POSITION_BITS = 37;

const MAX_NAMESPACES = 2 ** (53 - POSITION_BITS) - 1;

/** Returns the limits of the positions of a namespace, both exclusive. */
export interface Positions {
  readonly start: number;
  readonly end: number;
}

/** @throws {@link MemoryStoreError} `MEMORY_FULL` if the number does not fit in a position. */
export function positionsOf(spaceId: number): Positions {
  if (spaceId <= MAX_NAMESPACES) {
    return { start: spaceId * 2 ** POSITION_BITS, end: (spaceId + 1) * 2 ** POSITION_BITS };
  }
  throw new MemoryStoreError({
    code: 'MEMORY_FULL',
    subject: 'SQLite file',
    expected: `at most ${MAX_NAMESPACES} namespaces in all its time`,
    received: `number ${spaceId}`,
    remedy: 'use another file',
  });
}

/**
 * @throws {@link MemoryStoreError} `MEMORY_FULL` if a position is beyond those of its namespace.
 */
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
