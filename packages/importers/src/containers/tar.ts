import { importOptional, messageOf } from '@kp/foundation';
import { DamagedArchiveError, ImportError } from '../errors/errors.ts';
import type { JsonItem } from '../json-stream/line-reader.ts';
import type { ReadFile } from './inspect-archive.ts';
import { spendFile, toReadableStream, type UnpackBudget } from './limits.ts';

/**
 * Reads a tar archive file by file as it comes; folders, links and devices are passed over.
 *
 * @throws {@link DamagedArchiveError} where it breaks off; the files before it have been read.
 */
export async function* readTar(
  chunks: AsyncGenerator<Uint8Array>,
  budget: UnpackBudget,
  readFile: ReadFile,
): AsyncGenerator<JsonItem> {
  const { createTarDecoder } = await importOptional({
    packages: 'modern-tar',
    neededFor: 'a tar archive',
    load: async () => {
      try {
        return await import('modern-tar');
      } catch (cause) {
        return Promise.reject(cause);
      }
    },
  });
  let sourceFailure: unknown;
  const watched = watch(chunks, (error) => {
    sourceFailure = error;
  });
  const entries = toReadableStream(watched)
    .pipeThrough(createTarDecoder({ strict: true }))
    .getReader();
  try {
    for (;;) {
      const next = await entries.read();
      if (next.done) return;
      const { header, body } = next.value;
      if (header.type !== undefined && header.type !== 'file') {
        await body.cancel();
        continue;
      }
      spendFile(budget);
      const reader = body.getReader();
      async function* open(): AsyncGenerator<Uint8Array> {
        for (;;) {
          const piece = await reader.read();
          if (piece.done) return;
          yield piece.value;
        }
      }
      yield* readFile({ name: header.name, open });
      // The next file comes when this one has been let go.
      await reader.cancel().catch(() => undefined);
    }
  } catch (error) {
    const cause = sourceFailure ?? error;
    if (cause instanceof ImportError) throw cause;
    if (sourceFailure !== undefined) throw sourceFailure;
    const reason = messageOf(cause);
    throw new DamagedArchiveError('a tar archive up to its end', `damaged data (${reason})`, cause);
  } finally {
    await entries.cancel().catch(() => undefined);
  }
}

async function* watch(
  chunks: AsyncGenerator<Uint8Array>,
  onError: (error: unknown) => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    onError(error);
    throw error;
  }
}
