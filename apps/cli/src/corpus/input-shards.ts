import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type ImportOptions, type RecordingExtent, recordingExtent } from '@kp/importers';
import { wrongUse } from '../output/errors.ts';
import type { Input } from '../runs/input.ts';
import { countLineFeeds, LINE_FEED } from '../runs/line-feeds.ts';
import { isForbidden } from '../runs/named-files.ts';
import { sumOf } from './sum-of.ts';

/** Bytes of a file that belong to a shard; the start and the end are starts of lines. */
export interface Span {
  readonly file: string;
  readonly start: number;
  readonly end: number;
  readonly sha256: string;
}

/** The inputs of a shard, and the parts that belong to it. */
export interface InputShard {
  readonly inputs: readonly Input[];
  readonly spans: readonly Span[];
}

/** Number of bytes at the start of a file that suffice to determine how far its runs extend. */
const HEAD_BYTES = 2 ** 20;
const CHUNK_BYTES = 2 ** 18;

/**
 * Divides inputs into shards of about equal size, by their order and sizes alone, so that every worker
 * computes the same. A file whose lines are runs may be divided between lines. Any other file belongs to
 * the shard in which it starts, and files of a folder whose runs may continue in other files belong
 * together.
 *
 * @param shard - from 0.
 * @param of - number of shards.
 * @throws UsageError for an input that is not a file.
 */
export async function takeShard(
  inputs: readonly Input[],
  options: ImportOptions,
  shard: number,
  of: number,
): Promise<InputShard> {
  const sized = inputs.map((input) => ({ input, bytes: sizeOf(input) }));
  const total = sumOf(sized, ({ bytes }) => bytes);
  const boundary = (index: number): number => Math.floor((total / of) * index);
  const from = boundary(shard);
  const to = shard === of - 1 ? Number.POSITIVE_INFINITY : boundary(shard + 1);
  const isOwn = (offset: number): boolean => offset >= from && offset < to;
  const folders = new Map<string, number>();
  const taken: Input[] = [];
  const spans: Span[] = [];
  let offset = 0;
  for (const { input, bytes } of sized) {
    const start = offset;
    offset += bytes;
    const extent = of === 1 ? WHOLE : await extentOf(input, options);
    if (extent.kind === 'line' && !(isOwn(start) && offset <= to)) {
      const part = await takePart(input, extent, from - start, Math.min(bytes, to - start));
      if (part === undefined) continue;
      taken.push(part.input);
      spans.push(part.span);
      continue;
    }
    const place = extent.kind === 'inputs' ? placeOfFolder(folders, input, start) : start;
    if (!isOwn(place)) continue;
    taken.push(input);
    const span = await spanOf(input.name, 0, bytes).catch((error: unknown) => {
      // Reading the file reports this, and nothing comes from it.
      if (isForbidden(error)) return undefined;
      throw error;
    });
    if (span !== undefined) spans.push(span);
  }
  return { inputs: taken, spans };
}

/** @throws UsageError if a file has changed since a shard was computed from it. */
export async function checkSpans(spans: readonly Span[]): Promise<void> {
  for (const { file, start, end, sha256 } of spans) {
    const now = await digestSpan(file, start, end).catch(() => undefined);
    if (now === sha256) continue;
    const received = now === undefined ? 'a file that cannot be read' : 'a changed file';
    throw wrongUse(file, 'the file unchanged since its shard was computed', received, REMEDY);
  }
}

const REMEDY = 'use another folder for a changed corpus';
const WHOLE: RecordingExtent = { kind: 'input' };

/** @throws UsageError for standard input. */
export function sizeOf({ name, path, bytes }: Input): number {
  if (path !== undefined && bytes !== undefined) return bytes;
  throw wrongUse(name, 'files and folders, which every shard can read', 'a stream');
}

/** The files of one folder belong to the shard of the first of them. */
function placeOfFolder(folders: Map<string, number>, { name }: Input, start: number): number {
  const folder = dirname(name);
  const place = folders.get(folder) ?? start;
  folders.set(folder, place);
  return place;
}

async function extentOf({ name }: Input, options: ImportOptions): Promise<RecordingExtent> {
  const head = await readBytes(name, 0, HEAD_BYTES).catch(() => new Uint8Array(0));
  return recordingExtent(head, options);
}

/**
 * Takes the lines that start in a part of a file. Undefined if there are none.
 *
 * The importers get the first lines of the file, which settle its format, then an empty line in place of
 * each line before the part, so that lines have their numbers. The runs in those first lines are
 * then discarded.
 */
async function takePart(
  input: Input,
  { lines: headLines, bytes: headBytes }: Extract<RecordingExtent, { kind: 'line' }>,
  from: number,
  to: number,
): Promise<{ readonly input: Input; readonly span: Span } | undefined> {
  const { name } = input;
  if (to <= Math.max(0, from)) return undefined;
  const size = input.bytes ?? 0;
  const start = from <= 0 ? 0 : await startOfLine(name, from, size);
  const end = to >= size ? size : await startOfLine(name, to, size);
  if (end <= start) return undefined;
  const linesBefore = await countLines(name, start);
  const span = await spanOf(name, start, end);
  async function* read(stopped: AbortSignal): AsyncGenerator<Uint8Array> {
    if (start > 0) {
      // In a short file, the head may end within the part.
      const head = Math.min(headBytes, start);
      yield await readBytes(name, 0, head);
      if (head === headBytes) yield* emptyLines(linesBefore - headLines);
    }
    yield* createReadStream(name, {
      start,
      end: end - 1,
      signal: stopped,
      highWaterMark: CHUNK_BYTES,
    });
  }
  return { input: { ...input, bytes: end - start, open: read, linesBefore }, span };
}

function* emptyLines(count: number): Generator<Uint8Array> {
  const block = new Uint8Array(Math.min(count, CHUNK_BYTES)).fill(LINE_FEED);
  for (let left = count; left > 0; left -= block.length) yield block.subarray(0, left);
}

/** Returns the first start of a line at or after a position above 0. */
async function startOfLine(path: string, position: number, size: number): Promise<number> {
  for (let at = position - 1; at < size; at += CHUNK_BYTES) {
    const found = (await readBytes(path, at, CHUNK_BYTES)).indexOf(LINE_FEED);
    if (found >= 0) return at + found + 1;
  }
  return size;
}

async function countLines(path: string, end: number): Promise<number> {
  if (end === 0) return 0;
  let count = 0;
  for await (const chunk of createReadStream(path, { end: end - 1, highWaterMark: 2 ** 20 })) {
    count += countLineFeeds(chunk as Uint8Array);
  }
  return count;
}

async function readBytes(path: string, start: number, length: number): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const bytes = new Uint8Array(length);
    let read = 0;
    while (read < length) {
      const part = await file.read(bytes, read, length - read, start + read);
      if (part.bytesRead === 0) break;
      read += part.bytesRead;
    }
    return bytes.subarray(0, read);
  } finally {
    await file.close();
  }
}

async function spanOf(file: string, start: number, end: number): Promise<Span> {
  return { file, start, end, sha256: await digestSpan(file, start, end) };
}

/** @throws if the file is shorter than the span. */
async function digestSpan(path: string, start: number, end: number): Promise<string> {
  const hash = createHash('sha256');
  if ((await stat(path)).size < end) throw new RangeError(`${path} is shorter than ${end} bytes`);
  if (end > start) {
    for await (const chunk of createReadStream(path, {
      start,
      end: end - 1,
      highWaterMark: 2 ** 20,
    })) {
      hash.update(chunk as Uint8Array);
    }
  }
  return hash.digest('hex');
}
