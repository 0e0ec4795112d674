import type { RowGroup, SchemaTree } from 'hyparquet';
import { DamagedArchiveError } from '../errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts';
import type { JsonItem } from '../json/line-reader.ts';
import { parseAttribute } from '../spans/span.ts';
import { collect } from './limits.ts';
import { loadLibrary } from './load-library.ts';

/** Rows of a Parquet file that are in memory at once. */
const ROWS = 256;

/**
 * The rows of a table with comma-, semicolon- or tab-separated values, by the names in its first
 * line. Cells that hold the JSON of an array or an object are read as those.
 *
 * @throws {@link DamagedArchiveError} when it cannot be read as such a table.
 */
export async function* readCsv(
  chunks: AsyncGenerator<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<JsonItem> {
  const { parse } = await loadLibrary('a CSV file', 'csv-parse', async () => {
    try {
      return await import('csv-parse/browser/esm/sync');
    } catch (cause) {
      return Promise.reject(cause);
    }
  });
  const text = await (await collect(chunks, 'a CSV file', maxBytes)).text();
  const [header = ''] = text.split('\n', 1);
  const delimiter = [',', '\t', ';'].find((each) => header.includes(each)) ?? ',';
  let rows: { record: Record<string, string>; info: { lines: number } }[];
  try {
    rows = parse(text, { columns: true, bom: true, delimiter, info: true, skip_empty_lines: true });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new DamagedArchiveError('a CSV file with as many cells in each row', reason, cause);
  }
  for (const [document, { record, info }] of rows.entries()) {
    yield { line: info.lines, endLine: info.lines, document, value: readCells(record) };
  }
}

/**
 * The rows of a Parquet file, some at a time.
 *
 * @throws {@link DamagedArchiveError} when it is damaged.
 */
export async function* readParquet(chunks: AsyncGenerator<Uint8Array>): AsyncGenerator<JsonItem> {
  const what = 'a Parquet file';
  const library = await loadLibrary(what, 'hyparquet', async () => {
    try {
      return await import('hyparquet');
    } catch (cause) {
      return Promise.reject(cause);
    }
  });
  const { compressors } = await loadLibrary(what, 'hyparquet-compressors', async () => {
    try {
      return await import('hyparquet-compressors');
    } catch (cause) {
      return Promise.reject(cause);
    }
  });
  const blob = await collect(chunks, what);
  const file = {
    byteLength: blob.size,
    slice: (start: number, end?: number) => blob.slice(start, end).arrayBuffer(),
  };
  try {
    const metadata = await library.parquetMetadataAsync(file);
    checkColumns(library.parquetSchema(metadata), metadata.row_groups);
    const total = Number(metadata.num_rows);
    for (let rowStart = 0; rowStart < total; rowStart += ROWS) {
      const rowEnd = Math.min(total, rowStart + ROWS);
      const range = { file, metadata, compressors, rowStart, rowEnd };
      const rows = library.toJson(await library.parquetReadObjects(range)) as JsonValue[];
      for (const [index, row] of rows.entries()) {
        // A row is counted as a line.
        const line = rowStart + index + 1;
        const value = isJsonObject(row) ? readCells(row) : row;
        yield { line, endLine: line, document: line - 1, value };
      }
    }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new DamagedArchiveError(`${what} whole and unchanged`, `damaged data (${reason})`, cause);
  }
}

/**
 * Refuses columns that the schema does not have. The library does so once it has begun to read those
 * before, and what fails in these is then handled by nobody, which ends a process of Node.
 */
function checkColumns(schema: SchemaTree, groups: readonly RowGroup[]): void {
  for (const path of groups.flatMap(({ columns }) =>
    columns.map((c) => c.meta_data?.path_in_schema),
  )) {
    let place: SchemaTree | undefined = schema;
    for (const name of path ?? []) {
      place = place?.children.find(({ element }) => element.name === name);
    }
    if (place === undefined) throw new Error(`a column ${path?.join('.')} outside of its schema`);
  }
}

function readCells(row: Readonly<Record<string, JsonValue>>): JsonObject {
  return Object.fromEntries(
    Object.entries(row).map(([name, cell]) => [name, parseAttribute(cell) ?? null]),
  );
}
