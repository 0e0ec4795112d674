import { DamagedArchiveError } from '../errors/errors.ts';
import { damagedZstd } from './fse-table.ts';
import { createBlockCheck, MOST_BLOCK_BYTES } from './zstd-blocks.ts';

/** The largest window that a frame may ask for: the most that `zstd` itself takes unless told so. */
const MOST_WINDOW = 2 ** 27;
/** Bytes of windows that may be moved: at least, and for each byte that is unpacked. */
const MOVED_AT_LEAST = 2 ** 32;
const MOVED_FOR_EACH = 128;
/** A window that is made costs as much as one that is moved so often. */
const MADE = 16;
/** Frames of any size, and bytes that a further one has to unpack to: each takes time of its own. */
const MOST_FRAMES = 2000;
const FRAME_BYTES = 1024;

const MAGIC = 0xfd2fb528;
/** Of what is to be passed over; four bits more are any. */
const SKIPPABLE = 0x184d2a5;
const HAS_CHECKSUM = 0x04;
const IS_SINGLE_SEGMENT = 0x20;
const DICTIONARY_BYTES = [0, 1, 2, 4];
const SIZE_BYTES = [0, 2, 4, 8];
/** The kinds of block that are one byte over and over, and compressed. */
const ONE_BYTE = 1;
const COMPRESSED = 2;

/** Follows zstd data; see {@link followZstd}. */
export interface ZstdFollower {
  /**
   * Reads on, over chunks cut anywhere, up to the end of the frame.
   *
   * @returns how many bytes of the chunk belong to it.
   * @throws {@link DamagedArchiveError} when the data is no zstd, or asks for too much.
   */
  read(chunk: Uint8Array): number;
  /** Notes how much came out of what was read. */
  unpacked(bytes: number): void;
  /** Whether what was read ends with a frame. */
  readonly isAtEnd: boolean;
}

/**
 * Follows zstd data by its frames and blocks, to refuse what would take the decompressor memory or
 * time without end. What else is damaged within a block is left to the decompressor to find.
 *
 * @param isFzstd - whether that is fzstd, which makes the window of each frame at once, moves all of
 *   it for each block, and does not come to an end with every block.
 * @see RFC 8878, sections 3.1.1 and 3.1.2.
 */
export function followZstd(isFzstd: boolean): ZstdFollower {
  let moves = isFzstd ? MOVED_AT_LEAST : Number.POSITIVE_INFINITY;
  let frames = MOST_FRAMES;
  const parts = readFrames(isFzstd, (window, times) => {
    if (window > MOST_WINDOW) {
      const expected = `zstd data with a window of at most ${MOST_WINDOW} bytes`;
      throw new DamagedArchiveError(expected, `one of ${window}; unpack it first if you trust it`);
    }
    moves -= window * times;
    if (times === MADE) frames -= 1;
    if (moves >= 0 && frames >= 0) return;
    const expected = 'zstd data with frames and blocks in proportion to what it unpacks to';
    throw new DamagedArchiveError(expected, 'too many; unpack it first if you trust it');
  });
  let part = parts.next({ number: 0, bytes: new Uint8Array() }).value;
  let missing = part.bytes;
  let number = 0;
  let kept = new Uint8Array();
  return {
    read(chunk) {
      let index = 0;
      while (index < chunk.length) {
        const taken = part.as === 'number' ? 1 : Math.min(missing, chunk.length - index);
        const done = part.bytes - missing;
        if (part.as === 'number') number += (chunk[index] as number) * 256 ** done;
        if (part.as === 'bytes') kept.set(chunk.subarray(index, index + taken), done);
        index += taken;
        missing -= taken;
        while (missing === 0) {
          part = parts.next({ number, bytes: kept }).value;
          missing = part.bytes;
          number = 0;
          kept = new Uint8Array(part.as === 'bytes' ? missing : 0);
          if (part.isFirst) return index;
        }
      }
      return index;
    },
    unpacked(bytes) {
      moves += bytes * MOVED_FOR_EACH;
      frames += bytes / FRAME_BYTES;
    },
    get isAtEnd() {
      return part.isFirst === true && missing === part.bytes;
    },
  };
}

/** Bytes to be read as a number, little-endian, to be taken as they are, or to be passed over. */
interface Part {
  readonly bytes: number;
  readonly as: 'number' | 'bytes' | 'nothing';
  /** Whether a frame begins with it. */
  readonly isFirst?: boolean;
}

/** What was read of a part, in the form that it asked for. */
interface ReadPart {
  readonly number: number;
  readonly bytes: Uint8Array;
}

function* aNumber(bytes: number, isFirst = false): Generator<Part, number, ReadPart> {
  return (yield { bytes, as: 'number', isFirst }).number;
}

const passed = (bytes: number): Part => ({ bytes, as: 'nothing' });

function* readFrames(
  checksBlocks: boolean,
  spend: (window: number, times: number) => void,
): Generator<Part, never, ReadPart> {
  for (;;) {
    const magic = yield* aNumber(4, true);
    if (Math.floor(magic / 16) === SKIPPABLE) {
      yield passed(yield* aNumber(4));
      continue;
    }
    if (magic !== MAGIC) throw damagedZstd('damaged data, or other bytes');
    const descriptor = yield* aNumber(1);
    const isSingle = (descriptor & IS_SINGLE_SEGMENT) !== 0;
    const windowCode = isSingle ? 0 : yield* aNumber(1);
    yield passed(DICTIONARY_BYTES[descriptor & 3] ?? 0);
    const sizeCode = descriptor >> 6;
    const size = yield* aNumber(isSingle && sizeCode === 0 ? 1 : (SIZE_BYTES[sizeCode] ?? 0));
    const base = 2 ** (10 + (windowCode >> 3));
    const single = size + (sizeCode === 1 ? 256 : 0);
    const window = isSingle ? single : base + (base / 8) * (windowCode & 7);
    spend(window, MADE);
    const check = createBlockCheck();
    for (let isLast = false; !isLast; ) {
      const header = yield* aNumber(3);
      const kind = (header >> 1) & 3;
      const bytes = header >> 3;
      spend(window, 1);
      isLast = (header & 1) === 1;
      if (bytes > MOST_BLOCK_BYTES) throw damagedZstd(`damaged data (a block of ${bytes} bytes)`);
      if (kind === COMPRESSED && checksBlocks) check((yield { bytes, as: 'bytes' }).bytes);
      else yield passed(kind === ONE_BYTE ? 1 : bytes);
    }
    if (descriptor & HAS_CHECKSUM) yield passed(4);
  }
}
