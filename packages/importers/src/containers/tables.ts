import { importOptional, messageOf } from '@kp/foundation';
import type { AsyncBuffer, RowGroup, SchemaTree } from 'hyparquet';
import type { parquetHeader } from 'hyparquet/src/column.js';
import { DamagedArchiveError, ImportError } from '../errors/errors.ts';
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { parseEmbedded } from '../json/json-value.ts';
import type { JsonItem } from '../json-stream/line-reader.ts';
import { collect, spendBytes, spendValues, type UnpackBudget } from './limits.ts';
import { loadParquetCodecs } from './parquet-codecs.ts';
import { OBJECT } from './value-costs.ts';

/** Rows of a Parquet file that are in memory at once. */
const ROWS = 256;
/** Characters of one row of a CSV file; the parser needs some 40 bytes of memory for each. */
const MOST_ROW_CHARACTERS = 10_000_000;
/** How often a group of rows may be read, each time from its first page on. */
const MOST_READS = 64;

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
  const { parse } = await importOptional({
    packages: 'csv-parse',
    neededFor: 'a CSV file',
    load: async () => {
      try {
        return await import('csv-parse/browser/esm/sync');
      } catch (cause) {
        return Promise.reject(cause);
      }
    },
  });
  const text = await (await collect(chunks, 'a CSV file', maxBytes)).text();
  checkRows(text);
  const [header = ''] = text.split('\n', 1);
  const delimiter = [',', '\t', ';'].find((each) => header.includes(each)) ?? ',';
  let rows: { record: Record<string, string>; info: { lines: number } }[];
  try {
    rows = parse(text, {
      columns: true,
      bom: true,
      delimiter,
      info: true,
      skip_empty_lines: true,
    });
  } catch (cause) {
    const reason = messageOf(cause);
    throw new DamagedArchiveError('a CSV file with as many cells in each row', reason, cause);
  }
  for (const [document, { record, info }] of rows.entries()) {
    yield { line: info.lines, endLine: info.lines, document, value: readCells(record) };
  }
}

/** @throws {@link DamagedArchiveError} when a row is too long; a line break in quotes ends no row. */
function checkRows(text: string): void {
  const QUOTE = 34;
  const LINE_FEED = 10;
  let start = 0;
  let inQuotes = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) inQuotes = !inQuotes;
    if (code === LINE_FEED && !inQuotes) start = at + 1;
    if (at - start <= MOST_ROW_CHARACTERS) continue;
    const expected = `rows of at most ${MOST_ROW_CHARACTERS} characters`;
    throw new DamagedArchiveError(expected, 'a longer one');
  }
}

/**
 * The rows of a Parquet file, some at a time.
 *
 * @throws {@link DamagedArchiveError} when it is damaged.
 */
export async function* readParquet(
  chunks: AsyncGenerator<Uint8Array>,
  budget: UnpackBudget,
): AsyncGenerator<JsonItem> {
  const what = 'a Parquet file';
  const library = await importOptional({
    packages: 'hyparquet',
    neededFor: what,
    load: async () => {
      try {
        return await import('hyparquet');
      } catch (cause) {
        return Promise.reject(cause);
      }
    },
  });
  const compressors = await loadParquetCodecs();
  const { parquetHeader } = await importOptional({
    packages: 'hyparquet',
    neededFor: what,
    load: async () => {
      try {
        return await import('hyparquet/src/column.js');
      } catch (cause) {
        return Promise.reject(cause);
      }
    },
  });
  const blob = await collect(chunks, what);
  const file = {
    byteLength: blob.size,
    slice: (start: number, end?: number) => blob.slice(start, end).arrayBuffer(),
  };
  let line = 0;
  try {
    const metadata = await library.parquetMetadataAsync(file);
    checkColumns(library.parquetSchema(metadata), metadata.row_groups);
    for (const group of metadata.row_groups) {
      await spendGroup(group, metadata.schema.length, file, parquetHeader, budget);
      const total = Number(group.num_rows);
      const own = { ...metadata, row_groups: [group], num_rows: group.num_rows };
      const size = Math.max(ROWS, Math.ceil(total / MOST_READS));
      for (let rowStart = 0; rowStart < total; rowStart += size) {
        const rowEnd = Math.min(total, rowStart + size);
        const range = { file, metadata: own, compressors, rowStart, rowEnd };
        const rows = library.toJson(await library.parquetReadObjects(range)) as JsonObject[];
        for (const row of rows) {
          // A row is counted as a line.
          line += 1;
          yield { line, endLine: line, document: line - 1, value: readCells(row) };
        }
      }
    }
  } catch (cause) {
    if (cause instanceof ImportError) throw cause;
    const reason = messageOf(cause);
    throw new DamagedArchiveError(`${what} whole and unchanged`, `damaged data (${reason})`, cause);
  }
}

/**
 * Counts what a group of rows says that it unpacks to, page by page: a page of a few bytes may hold
 * one value a billion times.
 */
async function spendGroup(
  { columns, num_rows }: RowGroup,
  fields: number,
  file: AsyncBuffer,
  readHeader: typeof parquetHeader,
  budget: UnpackBudget,
): Promise<void> {
  spendValues(budget, fields + OBJECT * amount(num_rows));
  for (const { meta_data } of columns) {
    if (meta_data === undefined) continue;
    const { dictionary_page_offset, data_page_offset, total_compressed_size } = meta_data;
    const start = Number(dictionary_page_offset || data_page_offset);
    const bytes = await file.slice(start, start + Number(total_compressed_size));
    const reader = { view: new DataView(bytes), offset: 0 };
    while (reader.offset < bytes.byteLength - 1) {
      const { compressed_page_size, uncompressed_page_size, ...header } = readHeader(reader);
      const { num_values = 0 } =
        header.data_page_header ??
        header.data_page_header_v2 ??
        header.dictionary_page_header ??
        {};
      spendValues(budget, 1 + amount(num_values));
      spendBytes(budget, amount(uncompressed_page_size));
      reader.offset += amount(compressed_page_size);
    }
  }
}

function amount(claimed: number | bigint): number {
  const value = Number(claimed);
  if (!(value >= 0)) throw new Error(`an amount of ${claimed}`);
  return value;
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
    Object.entries(row).map(([name, cell]) => [name, parseEmbedded(cell) ?? null]),
  );
}
