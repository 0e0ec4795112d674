import { describe, expect, it } from 'bun:test';
import { ByteCursor, type ByteSource, peek, toByteChunks } from './byte-source.ts';

const read = async (source: ByteSource): Promise<string[]> =>
  Array.fromAsync(toByteChunks(source), (chunk) => Buffer.from(chunk).toString('hex'));

async function* chunksOf(...chunks: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield new TextEncoder().encode(chunk);
}

describe('toByteChunks', () => {
  it.each([
    ['a', ['61']],
    [Uint8Array.of(1), ['01']],
    [
      ['', 'a', new Uint8Array(0), 'b'],
      ['61', '62'],
    ],
    // A character split over two chunks, and invalid UTF-8.
    [
      ['a\ud83d', '\ude00b'],
      ['61', 'f09f988062'],
    ],
    [['\ud83d'], ['efbfbd']],
    [
      ['\ud83d', Uint8Array.of(0x78)],
      ['efbfbd', '78'],
    ],
    [['\ud83d', '', 'x'], ['efbfbd78']],
    [['\ud800', 'x'], ['efbfbd78']],
    [['\udbff', 'x'], ['efbfbd78']],
    [
      ['\ud7ff', 'x'],
      ['ed9fbf', '78'],
    ],
    [
      ['\udc00', 'x'],
      ['efbfbd', '78'],
    ],
  ] as [ByteSource, string[]][])('reads from %j the bytes %j', async (source, expected) => {
    expect(await read(source)).toEqual(expected);
  });

  it('rejects chunks that are neither bytes nor text', async () => {
    await expect(read([1] as unknown as string[])).rejects.toThrow(
      'input: expected chunks of bytes or text, received 1',
    );
  });
});

describe('peek', () => {
  it.each([
    [0, ''],
    [2, 'ab'],
    [3, 'abc'],
    [9, 'abcd'],
  ])('returns the first %d bytes without consuming them', async (length, seen) => {
    const { head, chunks } = await peek(chunksOf('a', 'bc', 'd'), length);
    expect(new TextDecoder().decode(head)).toBe(seen);
    expect(Buffer.concat(await Array.fromAsync(chunks)).toString()).toBe('abcd');
  });

  it('closes its source if closed before reading', async () => {
    let closed = false;
    async function* source(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield new Uint8Array(8);
      } finally {
        closed = true;
      }
    }
    const { chunks } = await peek(source(), 1);
    await chunks.return(undefined);
    expect(closed).toBe(true);
    expect(await Array.fromAsync(chunks)).toEqual([]);
  });

  it('yields no chunk for an empty stream and releases its source', async () => {
    expect(await Array.fromAsync((await peek(chunksOf(), 2)).chunks)).toEqual([]);
    const source = chunksOf('a', 'b', 'c');
    const { chunks } = await peek(source, 1);
    for await (const _chunk of chunks) break;
    expect(await source.next()).toEqual({ done: true, value: undefined });
  });
});

describe('ByteCursor', () => {
  const text = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);

  it('reads pieces of any length and bytes that were put back', async () => {
    const cursor = new ByteCursor(chunksOf('abc', '', 'de', 'f'));
    expect(text(await cursor.read(0))).toBe('');
    expect(text(await cursor.read(2))).toBe('ab');
    expect(text(await cursor.some())).toBe('c');
    expect(text(await cursor.some())).toBe('de');
    cursor.putBack(new TextEncoder().encode('e'));
    cursor.putBack(new TextEncoder().encode('d'));
    expect(text(await cursor.read(9))).toBe('def');
    expect(await cursor.some()).toBeUndefined();
    expect(text(await cursor.read(1))).toBe('');
  });
});
