import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processMark, removeAbandoned } from '@kp/foundation';
import { notWritten } from './output.ts';

/** Position of a text in a {@link Spill}. */
export interface SpilledText {
  readonly offset: number;
  readonly bytes: number;
}

/** Stores texts on disk until it is known which are needed, because they may not fit in memory. */
export interface Spill {
  /** @throws OutputError if there is no space left. */
  add(text: string): Promise<SpilledText>;
  read(place: SpilledText): Promise<string>;
  close(): Promise<void>;
}

const PREFIX = 'kp-spill-';

/** @throws OutputError if no file can be created. */
export async function createSpill(): Promise<Spill> {
  const refused = (error: Error): never => {
    throw notWritten(`a temporary file in ${tmpdir()}`, error);
  };
  await removeAbandoned(tmpdir(), PREFIX);
  const folder = await mkdtemp(join(tmpdir(), `${PREFIX}${processMark()}-`)).catch(refused);
  const file = await open(join(folder, 'runs'), 'wx+', 0o600).catch(refused);
  // On systems that can unlink an open file, a killed process then leaves almost nothing behind.
  await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  let end = 0;
  return {
    async add(text) {
      const bytes = Buffer.from(text);
      const place = { offset: end, bytes: bytes.length };
      for (let written = 0; written < bytes.length; ) {
        const left = bytes.length - written;
        const result = await file.write(bytes, written, left, end + written).catch(refused);
        written += result.bytesWritten;
      }
      end += bytes.length;
      return place;
    },
    async read({ offset, bytes }) {
      const buffer = Buffer.alloc(bytes);
      for (let read = 0; read < bytes; ) {
        const result = await file.read(buffer, read, bytes - read, offset + read);
        if (result.bytesRead === 0) throw new Error('spill: expected all of a text, received less');
        read += result.bytesRead;
      }
      return buffer.toString();
    },
    async close() {
      await file.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
