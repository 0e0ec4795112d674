import type { ByteSource } from '../src/bytes/byte-source.ts';
import type { JsonItem } from '../src/json-stream/line-reader.ts';
import { type ReadJsonOptions, readJsonValues } from '../src/json-stream/read-json-values.ts';

/** Reads all items of a source. */
export async function read(source: ByteSource, options?: ReadJsonOptions): Promise<JsonItem[]> {
  return Array.fromAsync(readJsonValues(source, options));
}

/** Reads the values, and the messages of rejected ones. */
export async function values(source: ByteSource, options?: ReadJsonOptions): Promise<unknown[]> {
  return (await read(source, options)).map((item) =>
    'value' in item ? item.value : item.error.message,
  );
}
