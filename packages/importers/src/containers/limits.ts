import { DamagedArchiveError } from '../errors/errors.ts';

/** What one input may unpack to; shared by all that is packed in it, however deep. */
export interface UnpackBudget {
  /** Bytes that may still come out of containers. */
  bytes: number;
  /** Values that may still be made of them, of which an object counts for 25, a run for 300. */
  values: number;
  /** Whether there is a container: what is not packed is bounded by its own length. */
  isPacked: boolean;
  /** Bytes of the input for which nothing more is earned. */
  free: number;
  /** Files that may still come out of archives. */
  files: number;
}

/** Containers within containers: a log in a zip in a tar in a zstd. */
export const MOST_CONTAINERS = 4;
/** What an input of any size may unpack to, and the values in it. */
const BYTES_AT_LEAST = 40 * 2 ** 20;
const VALUES_AT_LEAST = 4_000_000;
/** What each byte of an input over so many may unpack to besides. */
const FREE_BYTES = 2 ** 20;
/** Recordings come to some 10 bytes, seldom to 50. */
const MOST_EXPANSION = 100;
/** Recordings come to some 2.5 values, where an object counts for 25. */
const MOST_VALUES = 20;
/** Each file takes some 200 microseconds of its own, however little is in it. */
const FILES_AT_LEAST = 5000;
const BYTES_A_FILE = 100;
/** Packed bytes of an archive that can only be read as a whole. */
const MOST_ARCHIVE_BYTES = 2 ** 31;

/** A budget that no recording met so far comes near, for an input that {@link earn} has yet to read. */
export function createBudget(): UnpackBudget {
  return {
    bytes: BYTES_AT_LEAST,
    values: VALUES_AT_LEAST,
    isPacked: false,
    free: FREE_BYTES,
    files: FILES_AT_LEAST,
  };
}

/** Passes on an input as it is, and allows for what its bytes may unpack to. */
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
 * Passes on what comes out of a container, as long as the budget lasts.
 *
 * @throws {@link DamagedArchiveError} when it is spent.
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

/** Counts bytes that came out of a container. @throws as {@link spend} does. */
export function spendBytes(budget: UnpackBudget, bytes: number): void {
  budget.bytes -= bytes;
  if (budget.bytes < 0) throw tooMuch(`${BYTES_AT_LEAST} bytes`, MOST_EXPANSION);
}

/**
 * Counts values that are made of what came out of a container.
 *
 * @throws {@link DamagedArchiveError} when there are too many.
 */
export function spendValues(budget: UnpackBudget, values: number): void {
  budget.values -= values;
  if (budget.values < 0) throw tooMuch(`${VALUES_AT_LEAST} values`, MOST_VALUES);
}

function tooMuch(atLeast: string, each: number): DamagedArchiveError {
  const expected = `an input that unpacks to at most ${atLeast}, and ${each} more for each byte over ${FREE_BYTES}`;
  return new DamagedArchiveError(expected, 'more; unpack it first if you trust it');
}

/** Counts a file of an archive. @throws {@link DamagedArchiveError} when there were too many. */
export function spendFile(budget: UnpackBudget): void {
  budget.files -= 1;
  if (budget.files < 0) {
    const expected = `archives of at most ${FILES_AT_LEAST} files, and one more for each ${BYTES_A_FILE} bytes over ${FREE_BYTES}`;
    throw new DamagedArchiveError(expected, 'more; unpack it first if you trust it');
  }
}

/**
 * All of a stream, for what has to be read from its end.
 *
 * @throws {@link DamagedArchiveError} when it has more than `mostBytes`.
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
    // A chunk may be a view of memory that its source uses again.
    pieces.push(chunk.slice());
  }
  return new Blob(pieces);
}

/** Chunks as a stream of the platform, which libraries take. */
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
