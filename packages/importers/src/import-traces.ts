import type { ReasoningTrace } from '@kp/schema';
import { buildTrace, type UnlabelledTrace } from './build-trace.ts';
import { BUILT_IN_IMPORTERS } from './built-in-importers.ts';
import type { ByteSource } from './bytes/byte-source.ts';
import { createPieceGroups, detectFormat, type GatheredValue } from './detect-format.ts';
import { describeProblem, type ImportProblem, RecordingError } from './errors.ts';
import { KP_FORMAT, kpImporter } from './formats/kp.ts';
import { checkImportOptions, type ImportOptions } from './import-options.ts';
import type { Importer } from './importer.ts';
import { isNestedDeeper, type JsonValue, MAX_NESTING } from './json/json-value.ts';
import type { Provenance } from './provenance.ts';
import { readRecording } from './read-recording.ts';

/** What a recording gives, run by run, in the order of the input. */
export type ImportedTrace =
  | {
      readonly kind: 'trace';
      /** Line of the input where the run, or the document it is in, begins; from 1. */
      readonly line: number;
      readonly format: string;
      /** Of the format `kp`, the value as found, not validated. */
      readonly trace: ReasoningTrace;
      /** Absent for the format `kp`. */
      readonly provenance?: Provenance;
    }
  | {
      /** Nothing says whether the run succeeded: give `labels`, `success` or `assumeSuccess`. */
      readonly kind: 'unlabelled';
      readonly line: number;
      readonly format: string;
      readonly trace: UnlabelledTrace;
      readonly provenance: Provenance;
    }
  | { readonly kind: 'error'; readonly line: number; readonly error: ImportProblem };

/**
 * Reads recorded agent runs, plain or gzip, as traces. The format is told from the content, value
 * by value. What cannot be read is an item of its own and does not stop the rest. Runs that look
 * the same in one input get ids that end in `:2`, `:3` and so on.
 *
 * @throws RangeError when `format` names no known format or a confidence is not within 0 to 1.
 * @throws whatever reading the source throws.
 */
export async function* importTraces(
  source: ByteSource,
  options: ImportOptions = {},
): AsyncGenerator<ImportedTrace> {
  checkImportOptions(options);
  const importers = chooseImporters(options);
  const groups = createPieceGroups(importers);
  const occurrences = new Map<string, number>();

  for await (const item of readRecording(source, options.maxValueBytes)) {
    if ('error' in item) {
      yield { kind: 'error', line: item.line, error: item.error };
      continue;
    }
    if (isNestedDeeper(item.value)) {
      yield { kind: 'error', line: item.line, error: tooDeep(item.line) };
      continue;
    }
    for (const gathered of groups.add(item)) {
      yield* importValue(gathered, importers, options, occurrences);
    }
  }
  for (const gathered of groups.end()) {
    yield* importValue(gathered, importers, options, occurrences);
  }
}

function tooDeep(line: number): ImportProblem {
  const expected = `a value nested at most ${MAX_NESTING} levels deep`;
  return describeProblem('value_too_deep', { line }, expected, 'a deeper one');
}

function chooseImporters(options: ImportOptions): readonly Importer[] {
  const { format = 'auto', importers = BUILT_IN_IMPORTERS } = options;
  if (format === 'auto') return importers;
  const chosen = importers.filter(({ name }) => name === format);
  if (chosen.length > 0) return chosen;
  const names = importers.map(({ name }) => name).join(', ');
  throw new RangeError(`format: expected auto or one of ${names}, received ${format}`);
}

async function* importValue(
  { line, value }: GatheredValue,
  importers: readonly Importer[],
  options: ImportOptions,
  occurrences: Map<string, number>,
): AsyncGenerator<ImportedTrace> {
  // Chosen by name, even what hardly looks like a trace is left to validation to explain.
  const found = options.format === KP_FORMAT ? kpImporter : detectFormat(value, importers, line);
  if (!('read' in found)) {
    yield { kind: 'error', line, error: found };
    return;
  }
  const importer = found;
  const format = importer.name;
  if (format === KP_FORMAT) {
    yield { kind: 'trace', line, format, trace: value as unknown as ReasoningTrace };
    return;
  }
  for (const run of readRuns(importer, value)) {
    if (run instanceof RecordingError) {
      yield errorItem(run, line);
      continue;
    }
    try {
      const built = await buildTrace(format, run, options);
      built.trace.id = distinguish(built.trace.id, occurrences);
      yield { line, format, ...built };
    } catch (error) {
      if (!(error instanceof RecordingError)) throw error;
      yield errorItem(error, line);
    }
  }
}

function* readRuns(importer: Importer, value: JsonValue): ReturnType<Importer['read']> {
  try {
    yield* importer.read(value);
  } catch (error) {
    if (!(error instanceof RecordingError)) throw error;
    yield error;
  }
}

function distinguish(id: string, occurrences: Map<string, number>): string {
  const occurrence = (occurrences.get(id) ?? 0) + 1;
  occurrences.set(id, occurrence);
  return occurrence === 1 ? id : `${id}:${occurrence}`;
}

function errorItem(error: RecordingError, line: number): ImportedTrace {
  const { code, expected, received } = error;
  const message = `line ${line}: ${error.message}`;
  return { kind: 'error', line, error: { code, message, line, expected, received } };
}
