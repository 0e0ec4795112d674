import { untilAborted } from '../bytes/abort.ts';
import { type ByteSource, toByteChunks } from '../bytes/byte-source.ts';
import { joinLabels } from '../labels/label-join.ts';
import { checkImportOptions, type ImportOptions } from '../rules/import-options.ts';
import { createSession } from './create-session.ts';
import type { ImportSession } from './import-session.ts';
import type { ImportedTrace } from './imported-trace.ts';
import { holdAll } from './read-objects.ts';
import { withSurvey } from './survey.ts';

/**
 * Reads recorded agent runs, plain or gzip, as traces, in the order of the input. The format is
 * detected from the content, value by value. What cannot be read is an item of its own and does not
 * stop the rest. With labels the whole source is held in memory, since it is read twice. For several
 * files, or for the report, use {@link createImportSession}.
 *
 * @param source - bytes or text, at once or in chunks.
 * @throws RangeError when `format` names no known format, a confidence is not within 0 to 1, or
 *   the success expression cannot be read.
 * @throws {@link LabelsError} when nothing tells which set of labels is meant.
 * @throws the signal's reason once it is aborted.
 * @throws whatever reading the source throws.
 */
export async function* importTraces(
  source: ByteSource,
  options: ImportOptions = {},
): AsyncGenerator<ImportedTrace> {
  const session = createImportSession(options);
  if (options.labels === undefined) yield* session.read(source);
  else {
    const chunks = await holdAll(untilAborted(toByteChunks(source), options.signal));
    await session.survey(chunks);
    yield* session.read(chunks);
  }
  yield* session.end();
}

/**
 * Begins an import of several inputs. Runs of the same content get the same id, wherever and how
 * often they are found.
 *
 * @throws as {@link importTraces} does.
 */
export function createImportSession(options: ImportOptions = {}): ImportSession {
  checkImportOptions(options);
  if (options.labels === undefined) return createSession(options);
  const join = joinLabels(options.labels);
  const { success: _, domain: __, ...reading } = options;
  const surveyor = createSession(reading, {
    find(run) {
      join.note(run);
      return undefined;
    },
    report: join.report,
  });
  return withSurvey(createSession(options, join), surveyor);
}
