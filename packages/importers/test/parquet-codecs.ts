import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';

export type PackedBy = 'GZIP' | 'BROTLI' | 'ZSTD' | 'LZ4_RAW' | 'LZ4';

/** Compresses pages of Parquet files with every supported codec. */
export const PARQUET_CODECS: Readonly<Record<PackedBy, (page: Uint8Array) => Uint8Array>> = {
  GZIP: (page) => gzipSync(page),
  BROTLI: (page) => brotliCompressSync(page),
  ZSTD: (page) => zstdCompressSync(page),
  LZ4_RAW: literalLz4,
  LZ4: (page) => {
    const block = literalLz4(page);
    const lengths = Buffer.alloc(8);
    lengths.writeUInt32BE(page.length, 0);
    lengths.writeUInt32BE(block.length, 4);
    return Buffer.concat([lengths, block]);
  },
};

/** Creates an LZ4 block with a single run of literals. */
function literalLz4(page: Uint8Array): Buffer {
  const more = page.length - 15;
  if (more < 0) return Buffer.concat([Buffer.of(page.length << 4), page]);
  const length = [...Array<number>(Math.floor(more / 255)).fill(255), more % 255];
  return Buffer.concat([Buffer.of(0xf0, ...length), page]);
}
