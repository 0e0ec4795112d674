import { InvalidTypeError } from '@kp/foundation';
import { beginsJson } from '../containers/detect-container.ts';
import { LINE_FEED } from '../json-stream/bytes.ts';
import type { JsonItem } from '../json-stream/line-reader.ts';
import { readJsonValues } from '../json-stream/read-json-values.ts';
import type { ImportOptions } from '../rules/import-options.ts';
import { chooseImporters, type ImporterChoice } from './choose-importers.ts';
import { CHECKED_LINES } from './input-formats.ts';
import { nameGroups } from './piece-groups.ts';

/**
 * How far a run of a recording extends: - `line`: each line is a run, so that parts of the file can
 * be read separately. The first `lines` lines, in `bytes` bytes, settle the format; read them
 * before any other part.
 * - `input`: a run may be anywhere in the file.
 * - `inputs`: a run may continue in other files.
 */
export type RecordingExtent =
  | { readonly kind: 'line'; readonly lines: number; readonly bytes: number }
  | { readonly kind: 'input' }
  | { readonly kind: 'inputs' };

/**
 * Determines from the start of a file how far its runs extend.
 *
 * @param head - the first bytes of the file, or all of them.
 * @param options - options of the import.
 * @throws as {@link createImportSession} does for invalid options.
 */
export async function recordingExtent(
  head: Uint8Array,
  options: ImportOptions = {},
): Promise<RecordingExtent> {
  if (!(head instanceof Uint8Array)) throw new InvalidTypeError('head', 'a Uint8Array', head);
  const importers = chooseImporters(options.importers, options.format);
  const isPlain = beginsJson(head[0]) && (options.containers ?? []).length === 0;
  if (!isPlain) return { kind: 'input' };
  const complete = head.subarray(0, head.lastIndexOf(LINE_FEED) + 1);
  let extent: RecordingExtent['kind'] = 'line';
  let values = 0;
  let lastLine = 0;
  for await (const item of readJsonValues([complete])) {
    const kind = extentOf(item, lastLine, importers);
    if (kind === 'inputs') return { kind };
    if (kind === 'input') extent = kind;
    lastLine = item.line;
    values++;
    if (values === CHECKED_LINES) break;
  }
  if (extent !== 'line' || values < CHECKED_LINES) return { kind: 'input' };
  return { kind: 'line', lines: lastLine, bytes: endOfLine(complete, lastLine) };
}

function extentOf(
  item: JsonItem,
  lastLine: number,
  { groupers, own, isOwnTrace }: ImporterChoice,
): RecordingExtent['kind'] {
  if ('error' in item) return 'input';
  const { value, line, endLine, index } = item;
  const groups = isOwnTrace(value) ? undefined : nameGroups(value, groupers, own);
  if (groups !== undefined) {
    const isShared = 'parts' in groups || groups.importer.pieceScope === 'import';
    return isShared ? 'inputs' : 'input';
  }
  const isOneLine = line === endLine && line > lastLine && index === undefined;
  return isOneLine && !Array.isArray(value) ? 'line' : 'input';
}

/** Returns the position after a line. */
function endOfLine(bytes: Uint8Array, line: number): number {
  let end = 0;
  for (let count = 0; count < line; count++) end = bytes.indexOf(LINE_FEED, end) + 1;
  return end;
}
