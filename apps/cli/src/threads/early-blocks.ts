import { createOwnLineReader } from '@kp/importers';
import { countLineFeeds } from '../runs/inputs/line-feeds.ts';
import type { BlockRequest, WorkerAnswer } from '../runs/prepared/prepared-data.ts';
import { readSharedLines } from '../runs/prepared/read-shared-lines.ts';
import { createBlockPreparation } from './prepare-block.ts';
import { BLOCK_BYTES, type LineWorkerSettings } from './worker-settings.ts';

/** What a worker gets that starts before the command has loaded. */
export interface EarlyData {
  /** Path of a file of traces that the command will probably read. */
  readonly file: string;
}

/** A block that was prepared before a request for it. */
interface EarlyBlock {
  readonly bytes: Uint8Array;
  readonly answer: WorkerAnswer;
}

/** Blocks that are prepared early. */
export interface EarlyBlocks {
  /** Resolves when no further block is prepared. */
  readonly settled: Promise<void>;
  /**
   * Ends the preparation.
   *
   * @param settings - of the command; others than the usual ones make the blocks useless.
   * @returns a function that answers a request if its block is prepared.
   */
  take(settings: LineWorkerSettings): (request: BlockRequest) => WorkerAnswer | undefined;
}

/** The settings of `kp score FILE` without options. */
export const USUAL_SETTINGS: LineWorkerSettings = {
  options: { gradeAsConfidence: false, assumeSuccess: true },
  embedder: 'lexical',
};
/** Maximum number of blocks that wait for their requests. */
const MOST_BLOCKS = 12;

/** Prepares the first blocks of a file as `kp score FILE` does, until the settings of the command arrive. */
export function prepareEarly({ file }: EarlyData): EarlyBlocks {
  const { options, ...needs } = USUAL_SETTINGS;
  const prepare = createBlockPreparation(createOwnLineReader(options), needs);
  const ended = new AbortController();
  /** By the number of the first line. */
  const blocks = new Map<number, EarlyBlock>();

  async function prepareBlocks(): Promise<void> {
    let line = 1;
    for await (const bytes of readSharedLines(file, ended.signal, BLOCK_BYTES)) {
      if (ended.signal.aborted) return;
      blocks.set(line, { bytes, answer: await prepare({ bytes, line, file }) });
      if (blocks.size === MOST_BLOCKS) return;
      line += countLineFeeds(bytes);
    }
  }

  return {
    // The command reads the file later and reports what is wrong with it.
    settled: prepareBlocks().catch(() => undefined),
    take(settings) {
      ended.abort();
      if (JSON.stringify(settings) !== JSON.stringify(USUAL_SETTINGS)) blocks.clear();
      return ({ bytes, line, file: asked }) => {
        const block = blocks.get(line);
        blocks.delete(line);
        // The command may read another file first, or this one may have changed.
        const isSame = block !== undefined && asked === file;
        return isSame && Buffer.compare(block.bytes, bytes) === 0 ? block.answer : undefined;
      };
    },
  };
}
