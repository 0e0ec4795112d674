import { LINE_FEED } from './bytes.ts';
import {
  type CutPart,
  createBlockCutter,
  type LinePreparer,
  type PreparedLines,
} from './line-blocks.ts';
import type { LineReader, ReadItem } from './line-reader.ts';

/** How the lines of one input are prepared. */
export interface LinePreparation {
  readonly preparer: LinePreparer;
  /** Name of the input, if it has one. */
  readonly file: string | undefined;
  /**
   * Whether to read further while this number of lines wait. While it returns false, nothing is prepared.
   * Default: always.
   */
  readonly mayReadAhead?: (waitingLines: number) => boolean;
}

/** A part of the input, and how to get its lines if they are prepared. */
interface StartedPart {
  readonly part: CutPart;
  readonly take?: () => Promise<PreparedLines | undefined> | undefined;
}

/**
 * Reads lines with a reader, and passes them to the preparer some blocks before it needs them. Yields what
 * the reader alone would yield, in the same order.
 *
 * @throws any error of the source, after the lines before it.
 */
export async function* readPreparedLines(
  chunks: AsyncIterable<Uint8Array>,
  reader: LineReader,
  { preparer, file, mayReadAhead = () => true }: LinePreparation,
): AsyncGenerator<ReadItem> {
  let cutter = createBlockCutter(file, preparer.blockBytes);
  const started: StartedPart[] = [];
  let waitingLines = 0;
  let isAhead = true;
  const start = (part: CutPart): void => {
    started.push('piece' in part ? { part } : { part, take: preparer.prepare(part) });
    if ('breaks' in part) waitingLines += part.breaks;
  };

  async function* takeOldest(): AsyncGenerator<ReadItem> {
    const { part, take } = started.shift() as StartedPart;
    if ('piece' in part) {
      for (const item of reader.push(part.piece)) yield item;
      return;
    }
    waitingLines -= part.breaks;
    const lines = await take?.();
    const items = lines === undefined ? reader.push(part.bytes) : reader.pushPrepared(part, lines);
    for (const item of items) yield item;
  }

  let failure: { readonly error: unknown } | undefined;
  try {
    for await (const chunk of chunks) {
      let rest = chunk;
      if (!isAhead) {
        // Blocks begin with a line.
        const end = mayReadAhead(0) ? chunk.indexOf(LINE_FEED) + 1 : 0;
        for (const item of reader.push(end === 0 ? chunk : chunk.subarray(0, end))) yield item;
        if (end === 0) continue;
        rest = chunk.subarray(end);
        cutter = createBlockCutter(file, preparer.blockBytes, reader.line);
        isAhead = true;
      }
      for (const part of cutter.push(rest)) {
        start(part);
        while (started.length > preparer.blocksAhead) yield* takeOldest();
      }
      isAhead = mayReadAhead(waitingLines + cutter.breaks());
      if (isAhead) continue;
      while (started.length > 0) yield* takeOldest();
      for (const piece of cutter.rest()) for (const item of reader.push(piece)) yield item;
    }
  } catch (error) {
    failure = { error };
  }
  if (isAhead) for (const part of cutter.end()) start(part);
  while (started.length > 0) yield* takeOldest();
  if (failure !== undefined) throw failure.error;
}
