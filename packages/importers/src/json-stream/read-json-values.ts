import { type ByteSource, toByteChunks } from '../bytes/byte-source.ts';
import { DamagedArchiveError, describeProblem } from '../errors/errors.ts';
import { createDocumentReader } from './document-reader.ts';
import { createLayoutDetector, type JsonLayout } from './layout.ts';
import { createLineReader, type JsonItem } from './line-reader.ts';
import { LONG_OBJECT_BYTES } from './long-array.ts';

/** How much of a recording may be in memory, and when to stop. */
export interface ReadJsonOptions {
  /**
   * `lines`: each line is a value. `documents`: values over any number of lines; a top-level
   * array gives its elements. Default: told from the beginning of the input.
   */
  readonly layout?: JsonLayout;
  /** Whether arrays that stand one a line are values by themselves. Default false. */
  readonly arrayLines?: boolean;
  /** A value of more bytes than this is refused and the rest is read. Default 268,435,456. */
  readonly maxValueBytes?: number;
}

/** The most bytes that one value may have unless said otherwise. */
export const DEFAULT_MAX_VALUE_BYTES: number = 2 ** 28;

/**
 * Reads JSON values out of a stream: JSON Lines, one document, a large array element by element,
 * or several documents one after the other. No more than one value is in memory at a time.
 *
 * What cannot be read comes as an item with its position, in its place in the order, and what
 * follows is read on where the text tells where that is: always in JSON Lines; in an array unless
 * its brackets or quotes are broken. Blank lines and a byte order mark are skipped. A value that
 * is not valid UTF-8 is refused.
 *
 * @param source - bytes or text, at once or in chunks.
 * @throws RangeError when `maxValueBytes` is not a positive integer.
 * @throws whatever reading the source throws, except {@link DamagedArchiveError}, which becomes
 *   the last item.
 */
export async function* readJsonValues(
  source: ByteSource,
  options: ReadJsonOptions = {},
): AsyncGenerator<JsonItem> {
  const { layout, arrayLines = false, maxValueBytes = DEFAULT_MAX_VALUE_BYTES } = options;
  if (!Number.isSafeInteger(maxValueBytes) || maxValueBytes < 1) {
    throw new RangeError(`maxValueBytes: expected a positive integer, received ${maxValueBytes}`);
  }
  const chunks = withoutByteOrderMark(toByteChunks(source));
  try {
    const begun = await chooseLayout(chunks, layout, arrayLines, maxValueBytes);
    const reader =
      begun.chosen === 'lines'
        ? createLineReader(maxValueBytes)
        : createDocumentReader(maxValueBytes);
    try {
      for (const chunk of begun.head) yield* reader.push(chunk);
      if (begun.failure !== undefined) throw begun.failure;
      for await (const chunk of chunks) yield* reader.push(chunk);
      yield* reader.end();
    } catch (error) {
      if (!(error instanceof DamagedArchiveError)) throw error;
      if (error.isComplete) yield* reader.end();
      yield damagedItem(error, reader.line);
    }
  } finally {
    await chunks.return(undefined);
  }
}

/** The beginning of the input, and what ended it before the layout could be told. */
interface BegunInput {
  readonly chosen: JsonLayout;
  readonly head: Uint8Array[];
  readonly failure?: DamagedArchiveError;
}

async function chooseLayout(
  chunks: AsyncGenerator<Uint8Array>,
  given: JsonLayout | undefined,
  arrayLines: boolean,
  maxValueBytes: number,
): Promise<BegunInput> {
  const head: Uint8Array[] = [];
  if (given !== undefined) return { chosen: given, head };
  const detector = createLayoutDetector(arrayLines);
  let length = 0;
  try {
    while (length <= Math.min(maxValueBytes, LONG_OBJECT_BYTES)) {
      const next = await chunks.next();
      if (next.done) break;
      head.push(next.value);
      length += next.value.length;
      const chosen = detector.push(next.value);
      if (chosen !== undefined) return { chosen, head };
    }
  } catch (failure) {
    if (!(failure instanceof DamagedArchiveError)) throw failure;
    return { chosen: detector.end(), head, failure };
  }
  // Nobody writes so long a first line but to write the one object that the input is.
  return { chosen: length > LONG_OBJECT_BYTES ? 'documents' : detector.end(), head };
}

const BYTE_ORDER_MARK = Uint8Array.of(0xef, 0xbb, 0xbf);

async function* withoutByteOrderMark(
  chunks: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let matched = 0;
  try {
    while (matched < BYTE_ORDER_MARK.length) {
      const next = await chunks.next();
      const chunk = next.done ? new Uint8Array(0) : next.value;
      let start = 0;
      while (start < chunk.length && chunk[start] === BYTE_ORDER_MARK[matched]) {
        matched += 1;
        start += 1;
        if (matched === BYTE_ORDER_MARK.length) break;
      }
      if (matched === BYTE_ORDER_MARK.length || start < chunk.length || next.done) {
        // A mark that breaks off was text after all.
        if (matched > 0 && matched < 3) yield BYTE_ORDER_MARK.subarray(0, matched);
        if (start < chunk.length) yield chunk.subarray(start);
        break;
      }
    }
    yield* chunks;
  } finally {
    await chunks.return(undefined);
  }
}

function damagedItem(error: DamagedArchiveError, line: number): JsonItem {
  const remark = error.isComplete
    ? 'the data before them was read'
    : 'what came before was read, the rest cannot be';
  const problem = describeProblem(error.code, { line }, error.expected, error.received, remark);
  return { line, error: problem };
}
