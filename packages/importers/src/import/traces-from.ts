import type { ByteSource } from '../bytes/byte-source.ts';
import type { ImportOptions } from '../rules/import-options.ts';
import { createImportSession, importTraces } from './import-traces.ts';
import type { ImportedTrace } from './imported-trace.ts';
import { holdObjects } from './read-objects.ts';

/**
 * Converts objects in memory to traces: messages, the result of a library, streamed events or spans
 * of any known format; one object, or several in an array, iterable or async iterable. Accepts any
 * value: an object without a run becomes an error item, as in {@link importTraces}; its line is the
 * position in the list. A string is parsed as JSON, bytes as a recording in a file.
 *
 * ```ts
 * for await (const item of tracesFrom(messages, { success: true, confidence: 0.9 })) …
 * ```
 *
 * @param objects - see above.
 * @throws as {@link importTraces} does, and whatever an iterable throws.
 */
export async function* tracesFrom(
  objects: unknown,
  options: ImportOptions = {},
): AsyncGenerator<ImportedTrace> {
  const given = await objects;
  if (isRecording(given)) {
    yield* importTraces(given, options);
    return;
  }
  const session = createImportSession(options);
  if (options.labels === undefined) yield* session.readObjects(given);
  else {
    const held = await holdObjects(given);
    await session.surveyObjects(held);
    yield* session.readObjects(held);
  }
  yield* session.end();
}

function isRecording(value: unknown): value is ByteSource {
  if (typeof value === 'string' || value instanceof Uint8Array) return true;
  return typeof ReadableStream !== 'undefined' && value instanceof ReadableStream;
}
