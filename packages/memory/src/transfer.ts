import { VectorCache } from '@kp/vector-cache';
import { MemoryStoreError, messageOf } from './errors.ts';
import type { StoredEntry } from './log/log.ts';
import type { DurableMemory } from './log/log-memory.ts';
import { toBytes } from './log/vector-bytes.ts';
import type { EmbeddingSpace } from './options.ts';

/** The first line of an export. */
interface ExportHead {
  readonly memory: 'kp';
  readonly version: 1;
  readonly embedderId: string;
  readonly dimensions: number;
}

/** What an export or a snapshot holds, to be read once. */
export interface Transfer {
  /** Whose vectors they are. */
  readonly embedder: EmbeddingSpace;
  /** Oldest first. */
  readonly entries: AsyncIterable<Pick<StoredEntry, 'key' | 'vector'>>;
}

/**
 * The memory as lines of JSON: a head, then `{ key, addedAt, vector }` an entry, oldest first, the
 * vector as base64 of little-endian float32. Each comes with its line break.
 *
 * @param memory - it may be in use.
 */
export async function* exportMemory(
  memory: Pick<DurableMemory, 'embedderId' | 'dimensions' | 'entries'>,
): AsyncGenerator<string> {
  const { embedderId, dimensions } = memory;
  const head: ExportHead = { memory: 'kp', version: 1, embedderId, dimensions };
  yield `${JSON.stringify(head)}\n`;
  for await (const { key, addedAt, vector } of memory.entries()) {
    const text = Buffer.from(toBytes(vector)).toString('base64');
    yield `${JSON.stringify({ key, addedAt, vector: text })}\n`;
  }
}

/**
 * Reads what {@link exportMemory} wrote, or a snapshot of a `VectorCache`.
 *
 * @param source - what {@link exportMemory} wrote, in chunks.
 * @param name - of the source, for messages.
 * @throws {@link MemoryStoreError} `MEMORY_DAMAGED` when it is neither, or at the broken line.
 */
export async function readTransfer(
  source: AsyncIterable<Uint8Array>,
  name: string,
): Promise<Transfer> {
  const pieces = source[Symbol.asyncIterator]();
  const first = await pieces.next();
  const head = first.done === true ? new Uint8Array() : first.value;
  const all = joined(head, pieces);
  if (Buffer.from(head.subarray(0, SNAPSHOT_MAGIC.length)).toString('latin1') === SNAPSHOT_MAGIC) {
    return fromSnapshot(await bytesOf(all), name);
  }
  const lines = linesOf(all);
  const line = await lines.next();
  const { embedderId: id, dimensions } = parse<ExportHead>(line.done ? '' : line.value, name, 1);
  if (typeof id !== 'string' || !Number.isSafeInteger(dimensions) || dimensions < 1) {
    throw broken(name, 1, 'an export of kp memory, or a snapshot of a VectorCache', 'neither');
  }
  return { embedder: { id, dimensions }, entries: entriesOf(lines, name, dimensions) };
}

const SNAPSHOT_MAGIC = 'KPVCACHE';

async function fromSnapshot(bytes: Uint8Array, name: string): Promise<Transfer> {
  let cache: VectorCache;
  try {
    cache = VectorCache.fromBytes(bytes);
  } catch (cause) {
    throw broken(name, undefined, 'a sound snapshot', messageOf(cause));
  }
  const { embedderId: id, dimensions } = cache;
  if (id === undefined) {
    throw broken(name, undefined, 'a snapshot that names its embedder', 'one that does not');
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

async function* entriesOf(
  lines: AsyncIterable<string>,
  name: string,
  dimensions: number,
): AsyncGenerator<Pick<StoredEntry, 'key' | 'vector'>> {
  let number = 1;
  for await (const line of lines) {
    number++;
    if (line === '') continue;
    const { key, vector } = parse<{ key: unknown; vector: unknown }>(line, name, number);
    const bytes = Buffer.from(typeof vector === 'string' ? vector : '', 'base64');
    if (typeof key !== 'string' || bytes.length !== dimensions * 4) {
      const expected = `a key and a vector of ${dimensions * 4} bytes`;
      throw broken(name, number, expected, `${bytes.length} bytes`);
    }
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    yield {
      key,
      vector: Float32Array.from({ length: dimensions }, (_, i) => view.getFloat32(i * 4, true)),
    };
  }
}

function parse<T>(line: string, name: string, number: number): T {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null) return value as T;
  } catch {
    // Told below, as any other value.
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

async function* linesOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of source) {
    const parts = (text + decoder.decode(piece, { stream: true })).split('\n');
    text = parts.pop() ?? '';
    yield* parts;
  }
  if (text !== '') yield text;
}

function broken(
  name: string,
  line: number | undefined,
  expected: string,
  received: string,
): MemoryStoreError {
  const subject = line === undefined ? name : `${name}:${line}`;
  return new MemoryStoreError({ code: 'MEMORY_DAMAGED', subject, expected, received });
}
