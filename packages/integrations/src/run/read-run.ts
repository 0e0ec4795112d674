import {
  BUILT_IN_IMPORTERS,
  detectFormat,
  type Importer,
  type JsonValue,
  type RecordedRun,
  RecordingError,
  toJson,
} from '@kp/importers';
import type { ReadRun } from './finished-run.ts';
import { unknownObject } from './unknown-object.ts';

/**
 * The run in objects of one library, by the importer of their format.
 *
 * @param library - as a message names it.
 * @param isKnown - the objects come from the library for certain, also where they look like others.
 * @throws {@link IntegrationError} `OBJECT_UNKNOWN` when they are of no such format.
 */
export function readAs(
  format: string,
  library: string,
  value: unknown,
  isKnown: boolean = false,
): ReadRun {
  const importer = BUILT_IN_IMPORTERS.find(({ name }) => name === format);
  const json = wholeOf(toJson(value) ?? null);
  const fits = isKnown || importer?.detect(json) !== undefined;
  if (importer === undefined || !fits) throw unknownObject(library, value);
  return { format, run: firstRun(importer, json, library, value) };
}

/**
 * The run in objects of any format that the importers know.
 *
 * @throws {@link IntegrationError} `OBJECT_UNKNOWN` when they are of none.
 */
export function readAny(value: unknown): ReadRun {
  const json = wholeOf(toJson(value) ?? null);
  const found = detectFormat(json, BUILT_IN_IMPORTERS, 1);
  if (!('read' in found)) throw unknownObject('run', value);
  return { format: found.name, run: firstRun(found, json, 'run', value) };
}

/** What is a piece of a run, such as one event, is read as a list of such. */
function wholeOf(json: JsonValue): JsonValue {
  const isPiece = BUILT_IN_IMPORTERS.some(
    ({ pieceOf, splitPieces }) => (pieceOf?.(json) ?? splitPieces?.(json)) !== undefined,
  );
  return isPiece ? [json] : json;
}

function firstRun(
  importer: Importer,
  json: JsonValue,
  library: string,
  value: unknown,
): RecordedRun {
  try {
    for (const run of importer.read(json)) {
      if (!(run instanceof Error)) return run;
    }
  } catch (cause) {
    if (!(cause instanceof RecordingError)) throw cause;
  }
  throw unknownObject(library, value);
}
