import { DamagedArchiveError } from '../errors/errors.ts';

/** Limits on the expansion of one input, shared by all containers nested in it. */
export interface UnpackBudget {
  /** Remaining decompressed bytes. */
  bytes: number;
  /** Remaining cost of the JSON values in them; an object costs 25, a run 300. */
  values: number;
  /** Whether the input is compressed or archived. Plain input is limited by its own length. */
  isPacked: boolean;
  /** Remaining input bytes that do not raise the limits; see {@link earn}. */
  free: number;
  /** Remaining files in archives. */
  files: number;
}

/** Maximum nesting of containers, such as a log in a zip in a tar in a zstd stream. */
export const MOST_CONTAINERS = 4;
/** Decompressed bytes, and cost of values, that any input may have. */
const BYTES_AT_LEAST = 40 * 2 ** 20;
const VALUES_AT_LEAST = 4_000_000;
/** Number of input bytes after which each further byte raises the limits. */
const FREE_BYTES = 2 ** 20;
/** Decompressed bytes per further input byte. Real recordings expand about 10-fold, rarely 50-fold. */
const MOST_EXPANSION = 100;
/** Value cost per further input byte. Real recordings need about 2.5. */
const MOST_VALUES = 20;
/** Files that any archive may have; each takes about 200 µs even if it is empty. */
const FILES_AT_LEAST = 5000;
const BYTES_A_FILE = 100;
/** Maximum size of an archive that must be read into memory as a whole. */
const MOST_ARCHIVE_BYTES = 2 ** 31;

/**
 * Creates the budget of an input before {@link earn} has read any of it. No known recording needs a
 * larger one.
 */
export function createBudget(): UnpackBudget {
  return {
    bytes: BYTES_AT_LEAST,
    values: VALUES_AT_LEAST,
    isPacked: false,
    free: FREE_BYTES,
    files: FILES_AT_LEAST,
  };
}

/** Passes an input through and raises its budget for every byte read. */
export async function* earn(
  chunks: AsyncGenerator<Uint8Array>,
  budget: UnpackBudget,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    const free = Math.min(chunk.length, budget.free);
    budget.free -= free;
    budget.bytes += (chunk.length - free) * MOST_EXPANSION;
    budget.values += (chunk.length - free) * MOST_VALUES;
    budget.files += (chunk.length - free) / BYTES_A_FILE;
    yield chunk;
  }
}

/**
 * Passes decompressed chunks through and deducts them from the budget.
 *
 * @throws {@link DamagedArchiveError} when the budget is exhausted.
 */
export async function* spend(
  chunks: AsyncIterable<Uint8Array>,
  budget: UnpackBudget,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    spendBytes(budget, chunk.length);
    yield chunk;
  }
}

/** Deducts decompressed bytes. @throws as {@link spend} does. */
export function spendBytes(budget: UnpackBudget, bytes: number): void {
  budget.bytes -= bytes;
  if (budget.bytes < 0) throw tooMuch(`${BYTES_AT_LEAST} bytes`, MOST_EXPANSION);
}

/**
 * Deducts the cost of values.
 *
 * @throws {@link DamagedArchiveError} when the budget is exhausted.
 */
export function spendValues(budget: UnpackBudget, values: number): void {
  budget.values -= values;
  if (budget.values < 0) throw tooMuch(`${VALUES_AT_LEAST} values`, MOST_VALUES);
}

function tooMuch(atLeast: string, each: number): DamagedArchiveError {
  const expected = `an input that unpacks to at most ${atLeast}, and ${each} more for each byte over ${FREE_BYTES}`;
  return new DamagedArchiveError(expected, 'more; unpack it first if you trust it');
}

/** Deducts one file of an archive. @throws {@link DamagedArchiveError} when there are too many. */
export function spendFile(budget: UnpackBudget): void {
  budget.files -= 1;
  if (budget.files < 0) {
    const expected = `archives of at most ${FILES_AT_LEAST} files, and one more for each ${BYTES_A_FILE} bytes over ${FREE_BYTES}`;
    throw new DamagedArchiveError(expected, 'more; unpack it first if you trust it');
  }
}

/**
 * Reads a whole stream into memory, for formats that must be read from the end.
 *
 * @throws {@link DamagedArchiveError} if it is longer than `mostBytes`.
 */
export async function collect(
  chunks: AsyncIterable<Uint8Array>,
  what: string,
  mostBytes: number = MOST_ARCHIVE_BYTES,
): Promise<Blob> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > mostBytes) {
      throw new DamagedArchiveError(`${what} of at most ${mostBytes} bytes`, 'a larger one');
    }
    // Copy: the source may reuse the chunk's memory.
    pieces.push(chunk.slice());
  }
  return new Blob(pieces);
}

/** Converts chunks to a web `ReadableStream` for libraries. */
export function toReadableStream(
  chunks: AsyncGenerator<Uint8Array>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    async pull(controller) {
      const next = await chunks.next();
      if (next.done) controller.close();
      else controller.enqueue(next.value as Uint8Array<ArrayBuffer>);
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
}
