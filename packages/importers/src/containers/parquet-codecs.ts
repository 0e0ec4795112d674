import { importOptional } from '@kp/foundation';
import type { Compressors } from 'hyparquet';
import { loadUnzstdPage } from './zstd.ts';

/**
 * Decompressors for Parquet pages. They stop at the size in the page header, which was deducted from the
 * budget. The runtime's decompressors are preferred because those of the library do not stop.
 */
export async function loadParquetCodecs(): Promise<Compressors> {
  const { compressors } = await importOptional({
    packages: 'hyparquet-compressors',
    neededFor: 'a Parquet file',
    load: async () => {
      try {
        return await import('hyparquet-compressors');
      } catch (cause) {
        return Promise.reject(cause);
      }
    },
  });
  const { LZ4: lz4, LZ4_RAW: rawLz4 } = compressors;
  const unzstd = await loadUnzstdPage().catch((error: unknown) => () => {
    // Throw only when a file uses the missing codec.
    throw error;
  });
  const codecs: Compressors = { ...compressors, ZSTD: unzstd };
  if (lz4 !== undefined && rawLz4 !== undefined) {
    codecs.LZ4 = (page, length) => (isHadoopLz4(page, length) ? lz4 : rawLz4)(page, length);
  }
  const zlib = globalThis.process?.getBuiltinModule?.('node:zlib');
  if (zlib === undefined) return codecs;
  return {
    ...codecs,
    GZIP: (page, length) => zlib.gunzipSync(page, { maxOutputLength: Math.max(1, length) }),
    BROTLI: (page, length) =>
      zlib.brotliDecompressSync(page, { maxOutputLength: Math.max(1, length) }),
  };
}

/**
 * Whether a page uses Hadoop's LZ4 framing: blocks, each after its decompressed and compressed length.
 * Checked here because the library loops forever on a negative length.
 */
function isHadoopLz4(page: Uint8Array, length: number): boolean {
  const view = new DataView(page.buffer, page.byteOffset, page.byteLength);
  let unpacked = 0;
  let at = 0;
  while (at + 8 <= page.length) {
    unpacked += view.getUint32(at);
    at += 8 + view.getUint32(at + 4);
  }
  return at === page.length && unpacked === length;
}
