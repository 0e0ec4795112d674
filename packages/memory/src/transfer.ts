import { assertFields, assertType, messageOf } from '@kp/foundation';
import { VectorCache } from '@kp/vector-cache';
import type { DurableMemory } from './log/durable-memory.ts';
import { MemoryStoreError } from './log/errors.ts';
import type { StoredEntry } from './log/log.ts';
import type { EmbeddingSpace } from './log/options.ts';
import { toBytes } from './log/vector-bytes.ts';

/** The first line of an export. */
interface ExportHead {
  readonly memory: 'kp';
  /** Those of version 1 have no {@link ExportEnd}. */
  readonly version: number;
  readonly embedderId: string;
  readonly dimensions: number;
}

/** The last line of an export, without which it was cut. */
interface ExportEnd {
  readonly entries: number;
}

const VERSION = 2;

/** The contents of an export or a snapshot, which can be read once. */
export interface Transfer {
  /** The embedder of the vectors. */
  readonly embedder: EmbeddingSpace;
  /** Oldest first. */
  readonly entries: AsyncIterable<Pick<StoredEntry, 'key' | 'vector'>>;
}

/**
 * Exports the memory as lines of JSON: a header, then one `{ key, addedAt, vector }` per entry,
 * oldest first, with the vector as base64 of little-endian float32, then the number of entries. Each
 * line ends with a line break.
 *
 * @param memory - may be in use during the export.
 */
export async function* exportMemory(
  memory: Pick<DurableMemory, 'embedderId' | 'dimensions' | 'entries'>,
): AsyncGenerator<string> {
  assertFields('memory', memory, { entries: 'a function' });
  const { embedderId, dimensions } = memory;
  const head: ExportHead = { memory: 'kp', version: VERSION, embedderId, dimensions };
  yield `${JSON.stringify(head)}\n`;
  let entries = 0;
  for await (const { key, addedAt, vector } of memory.entries()) {
    const text = Buffer.from(toBytes(vector)).toString('base64');
    yield `${JSON.stringify({ key, addedAt, vector: text })}\n`;
    entries++;
  }
  const end: ExportEnd = { entries };
  yield `${JSON.stringify(end)}\n`;
}

/**
 * Reads the output of {@link exportMemory}, or a snapshot of a `VectorCache`.
 *
 * @param source - the bytes, in chunks.
 * @param name - name of the source, for messages.
 * @throws {@link MemoryStoreError} `MEMORY_DAMAGED` if it is neither of the two, at the first damaged
 * line, or after the last entry if the export was cut; `MEMORY_NEWER` if a later version wrote it.
 */
export async function readTransfer(
  source: AsyncIterable<Uint8Array>,
  name: string,
): Promise<Transfer> {
  assertType('source', 'an async iterable', source);
  const pieces = source[Symbol.asyncIterator]();
  let head: Uint8Array = new Uint8Array();
  while (head.length < SNAPSHOT_MAGIC.length) {
    const next = await pieces.next();
    if (next.done === true) break;
    head = new Uint8Array(Buffer.concat([head, next.value]));
  }
  const all = joined(head, pieces);
  if (Buffer.from(head.subarray(0, SNAPSHOT_MAGIC.length)).toString('latin1') === SNAPSHOT_MAGIC) {
    return fromSnapshot(await bytesOf(all), name);
  }
  const lines = linesOf(all, name);
  const line = await lines.next();
  const declared = parse<ExportHead>(line.done ? '' : line.value, name, 1);
  const { embedderId: id, dimensions, version = 1 } = declared;
  if (typeof id !== 'string' || !Number.isSafeInteger(dimensions) || dimensions < 1) {
    throw broken(name, 1, 'an export of kp memory, or a snapshot of a VectorCache', 'neither');
  }
  if (version !== 1 && version !== VERSION) {
    throw new MemoryStoreError({
      code: 'MEMORY_NEWER',
      subject: name,
      expected: `an export of version ${VERSION} or before`,
      received: `version ${JSON.stringify(version)}`,
      remedy: 'update @kp/memory',
    });
  }
  const hasEnd = version === VERSION;
  return { embedder: { id, dimensions }, entries: entriesOf(lines, name, dimensions, hasEnd) };
}

const SNAPSHOT_MAGIC = 'KPVCACHE';

async function fromSnapshot(bytes: Uint8Array, name: string): Promise<Transfer> {
  let cache: VectorCache;
  try {
    cache = VectorCache.fromBytes(bytes);
  } catch (cause) {
    throw broken(name, undefined, 'an undamaged snapshot', messageOf(cause));
  }
  const { embedderId: id, dimensions } = cache;
  if (id === undefined) {
    throw broken(
      name,
      undefined,
      'a snapshot with the name of its embedder',
      'a snapshot without it',
    );
  }
  async function* entries(): AsyncGenerator<Pick<StoredEntry, 'key' | 'vector'>> {
    let number = 0;
    for (const { key = `${name}#${number}`, vector } of cache.entries()) {
      yield { key, vector };
      number++;
    }
  }
  return { embedder: { id, dimensions }, entries: entries() };
}

/** @param hasEnd - whether the last line is an {@link ExportEnd}. */
async function* entriesOf(
  lines: AsyncIterable<string>,
  name: string,
  dimensions: number,
  hasEnd: boolean,
): AsyncGenerator<Pick<StoredEntry, 'key' | 'vector'>> {
  let number = 1;
  let amount = 0;
  let end: number | undefined;
  for await (const line of lines) {
    number++;
    if (line === '') continue;
    if (end !== undefined) throw broken(name, number, 'the end of the export', 'another line');
    const found = parse<{ key: unknown; vector: unknown } & ExportEnd>(line, name, number);
    const { key, vector } = found;
    if (hasEnd && key === undefined && typeof found.entries === 'number') {
      end = found.entries;
      continue;
    }
    const bytes = Buffer.from(typeof vector === 'string' ? vector : '', 'base64');
    if (typeof key !== 'string' || bytes.length !== dimensions * 4) {
      const expected = `a key and a vector of ${dimensions * 4} bytes`;
      throw broken(name, number, expected, `${bytes.length} bytes`);
    }
    amount++;
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    yield {
      key,
      vector: Float32Array.from({ length: dimensions }, (_, i) => view.getFloat32(i * 4, true)),
    };
  }
  if (hasEnd && end !== amount) {
    const [expected, received] =
      end === undefined
        ? ['a last line with the number of entries', 'none']
        : [`${end} entries`, `${amount}`];
    throw broken(name, undefined, expected, received, 'the export was cut; export again');
  }
}

function parse<T>(line: string, name: string, number: number): T {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null) return value as T;
  } catch {
    // Reported below, like any other invalid value.
  }
  throw broken(name, number, 'a JSON object', JSON.stringify(line.slice(0, 40)));
}

async function* joined(
  head: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield head;
  yield* { [Symbol.asyncIterator]: () => rest };
}

async function bytesOf(source: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of source) pieces.push(piece);
  return new Uint8Array(Buffer.concat(pieces));
}

/** Enough for a key and a vector of four million dimensions. */
const MAX_LINE_BYTES = 2 ** 25;
const LINE_FEED = 0x0a;

async function* linesOf(source: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let begun: Uint8Array[] = [];
  let length = 0;
  let number = 1;
  const take = (end: Uint8Array): string => {
    const line = Buffer.concat([...begun, end]);
    begun = [];
    length = 0;
    try {
      return decoder.decode(line);
    } catch {
      throw broken(name, number, 'UTF-8 text', 'other bytes');
    }
  };
  for await (const piece of source) {
    let from = 0;
    for (let to = piece.indexOf(LINE_FEED); to !== -1; to = piece.indexOf(LINE_FEED, from)) {
      yield take(piece.subarray(from, to));
      number++;
      from = to + 1;
    }
    length += piece.length - from;
    if (length > MAX_LINE_BYTES) {
      throw broken(name, number, `a line of at most ${MAX_LINE_BYTES} bytes`, 'a longer one');
    }
    // A chunk may be a view of a buffer that its source reuses.
    begun.push(piece.slice(from));
  }
  const last = take(new Uint8Array());
  if (last !== '') yield last;
}

function broken(
  name: string,
  line: number | undefined,
  expected: string,
  received: string,
  remedy?: string,
): MemoryStoreError {
  const subject = line === undefined ? name : `${name}:${line}`;
  return new MemoryStoreError({ code: 'MEMORY_DAMAGED', subject, expected, received, remedy });
}
