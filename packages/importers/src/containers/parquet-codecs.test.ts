import { afterEach, describe, expect, it, spyOn } from 'bun:test';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { PARQUET_CODECS, type PackedBy } from '../../test/parquet-codecs.ts';
import { loadParquetCodecs } from './parquet-codecs.ts';
import { readRecording } from './read-recording.ts';

const CODECS = Object.keys(PARQUET_CODECS) as PackedBy[];
const PAGE = new TextEncoder().encode('{"role":"user"}'.repeat(40));

describe.each(['the runtime', 'the library'])('pages of Parquet files, by %s', (by) => {
  const module = process.getBuiltinModule;
  const use = (): void => {
    if (by === 'the library') spyOn(process, 'getBuiltinModule').mockReturnValue(undefined);
  };
  afterEach(() => {
    process.getBuiltinModule = module;
  });

  it.each(CODECS)('are read if compressed with %s', async (codec) => {
    const columnData = [{ name: 'messages', data: ['[1,2]', '[3]'] }];
    const options = { columnData, codec, compressors: PARQUET_CODECS };
    const file = new Uint8Array(parquetWriteBuffer(options));
    use();
    const items = await Array.fromAsync(readRecording(file));
    expect(items.map((item) => 'value' in item && item.value)).toEqual([
      { messages: [1, 2] },
      { messages: [3] },
    ]);
  });

  it.each(CODECS)('are decompressed to the original bytes: %s', async (codec) => {
    const packed = PARQUET_CODECS[codec](PAGE);
    use();
    const codecs = await loadParquetCodecs();
    expect(Buffer.from(codecs[codec]?.(packed, PAGE.length) ?? []).equals(PAGE)).toBe(true);
  });
});

describe('loadParquetCodecs', () => {
  it.each(['GZIP', 'BROTLI', 'ZSTD'] as const)(
    'rejects a %s page that is larger than declared',
    async (codec) => {
      const codecs = await loadParquetCodecs();
      const packed = PARQUET_CODECS[codec](PAGE);
      expect(() => codecs[codec]?.(packed, PAGE.length - 1)).toThrow();
    },
  );

  it('reads an LZ4 page with mismatched block lengths as one block', async () => {
    const codecs = await loadParquetCodecs();
    const block = PARQUET_CODECS.LZ4_RAW(PAGE);
    expect(Buffer.from(codecs.LZ4?.(block, PAGE.length) ?? []).equals(PAGE)).toBe(true);
    // Lengths of 0 and -8 would loop forever.
    const back = Uint8Array.of(0, 0, 0, 0, 255, 255, 255, 248, 0, 0);
    expect(() => codecs.LZ4?.(back, 0)).toThrow('lz4 offset out of range');
  });
});
