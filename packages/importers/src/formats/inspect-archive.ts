import { readZipEntries, unpackZipEntry, type ZipEntry } from '../archive/zip.ts';
import { DamagedArchiveError, describeProblem, type ImportProblem } from '../errors.ts';
import { isJsonObject, type JsonValue } from '../json/json-value.ts';
import type { JsonItem } from '../json/line-reader.ts';
import { ValueBuffer } from '../json/value-buffer.ts';

const SAMPLE = /^samples\/.*\.json$/;
/** Written first, before the samples; the header of the same content comes last. */
const START = '_journal/start.json';

/**
 * Reads an Inspect log in the form of an archive (`.eval`): a zip with a file a sample. Gives each
 * sample as a log of its own, with what is known of the evaluation beside it, as the items of a
 * stream: one sample is in memory at a time. Summaries and statistics are passed over.
 */
export async function* readInspectArchive(
  chunks: AsyncGenerator<Uint8Array>,
  maxValueBytes: number,
): AsyncGenerator<JsonItem> {
  const passedOver: string[] = [];
  let evaluation: JsonValue = {};
  let document = 0;
  try {
    for await (const entry of readZipEntries(chunks, maxValueBytes)) {
      const isSample = SAMPLE.test(entry.name);
      if (!isSample && entry.name !== START) {
        passedOver.push(entry.name);
        continue;
      }
      const parsed = await parseEntry(entry, maxValueBytes);
      if ('error' in parsed) yield { line: 1, error: parsed.error };
      else if (isSample) yield sampleItem(evaluation, parsed.value, document++);
      else if (isJsonObject(parsed.value)) evaluation = parsed.value.eval ?? {};
    }
  } catch (error) {
    if (!(error instanceof DamagedArchiveError)) throw error;
    yield { line: 1, error: damage(error, 'what came before was read, the rest cannot be') };
    return;
  }
  if (document === 0) {
    const received = `one with ${passedOver.slice(0, 3).join(', ') || 'no entry'}`;
    const expected = 'a zip archive with samples/*.json';
    yield { line: 1, error: describeProblem('UNKNOWN_FORMAT', { line: 1 }, expected, received) };
  }
}

function sampleItem(evaluation: JsonValue, sample: JsonValue, document: number): JsonItem {
  const value = { eval: evaluation, samples: [sample] };
  return { line: 1, endLine: 1, document, value };
}

async function parseEntry(
  entry: ZipEntry,
  maxValueBytes: number,
): Promise<{ value: JsonValue } | { error: ImportProblem }> {
  try {
    const bytes = await unpackZipEntry(entry, maxValueBytes);
    const buffer = new ValueBuffer(maxValueBytes);
    buffer.append(bytes, 0, bytes.length);
    const parsed = buffer.take({ line: 1, column: 1 });
    if (parsed === undefined) {
      const error = describeProblem(
        'INVALID_JSON',
        { line: 1 },
        'a JSON value',
        'nothing',
        entry.name,
      );
      return { error };
    }
    if (!('error' in parsed)) return parsed;
    return { error: { ...parsed.error, message: `${parsed.error.message}; in ${entry.name}` } };
  } catch (error) {
    if (!(error instanceof DamagedArchiveError)) throw error;
    return { error: damage(error) };
  }
}

function damage(error: DamagedArchiveError, remark?: string): ImportProblem {
  return describeProblem(error.code, { line: 1 }, error.expected, error.received, remark);
}
