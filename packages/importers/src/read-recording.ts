import { type ByteSource, peek, toByteChunks } from './bytes/byte-source.ts';
import { gunzipIfNeeded } from './bytes/gunzip.ts';
import { readInspectArchive } from './formats/inspect-archive.ts';
import type { JsonItem } from './json/line-reader.ts';
import { DEFAULT_MAX_VALUE_BYTES, readJsonValues } from './json/read-json-values.ts';

const ZIP_SIGNATURE = [0x50, 0x4b, 0x03, 0x04];

/** The JSON values of a recording, which may be packed with gzip or be an archive of samples. */
export async function* readRecording(
  source: ByteSource,
  maxValueBytes: number = DEFAULT_MAX_VALUE_BYTES,
): AsyncGenerator<JsonItem> {
  const { head, chunks } = await peek(toByteChunks(source), ZIP_SIGNATURE.length);
  const isZip = ZIP_SIGNATURE.every((byte, index) => head[index] === byte);
  yield* isZip
    ? readInspectArchive(chunks, maxValueBytes)
    : readJsonValues(gunzipIfNeeded(chunks), { maxValueBytes, arrayLines: true });
}
