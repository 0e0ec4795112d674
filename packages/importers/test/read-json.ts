import type { ByteSource } from '../src/bytes/byte-source.ts';
import type { JsonItem } from '../src/json-stream/line-reader.ts';
import { type ReadJsonOptions, readJsonValues } from '../src/json-stream/read-json-values.ts';

/** All items of a source. */
export async function read(source: ByteSource, options?: ReadJsonOptions): Promise<JsonItem[]> {
  return Array.fromAsync(readJsonValues(source, options));
}

/** Their values, and the messages of what was refused. */
export async function values(source: ByteSource, options?: ReadJsonOptions): Promise<unknown[]> {
  return (await read(source, options)).map((item) =>
    'value' in item ? item.value : item.error.message,
  );
}
