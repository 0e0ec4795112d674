import { untilAborted } from '../bytes/abort.ts';
import { type ByteSource, toByteChunks } from '../bytes/byte-source.ts';
import { createBudget, type UnpackBudget } from '../containers/limits.ts';
import { RUN } from '../containers/made-values.ts';
import { readRecording } from '../containers/read-recording.ts';
import { detectFormat } from '../detection/detect-format.ts';
import {
  describeProblem,
  type ImportProblem,
  NoAgentError,
  RecordingError,
} from '../errors/errors.ts';
import { importOwnCrash, importOwnTrace, KP_FORMAT, kpImporter } from '../formats/kp/kp.ts';
import type { Importer, RecordedRun } from '../importer/importer.ts';
import { isNestedDeeper, type JsonValue, MAX_NESTING } from '../json/json-value.ts';
import type { JsonItem } from '../json-stream/line-reader.ts';
import { joinLabels, type LabelJoin } from '../labels/label-join.ts';
import { checkImportOptions, type ImportOptions } from '../rules/import-options.ts';
import { createRunRules, type RunPlace, type RunRules } from '../rules/run-rules.ts';
import { buildByRules } from '../trace/build-trace.ts';
import { buildCrashedRun } from '../trace/crashed-run.ts';
import { chooseImporters, type ImporterChoice } from './choose-importers.ts';
import { untilHopeless, untilSpent } from './import-bounds.ts';
import type { ImportSession } from './import-session.ts';
import type { ImportedTrace } from './imported-trace.ts';
import { createPieceGroups, type Gathered, type GatheredValue } from './piece-groups.ts';
import { holdAll, readObjects } from './read-objects.ts';
import { withSurvey } from './survey.ts';

const DEFAULT_MAX_HELD_BYTES = 2 ** 26;

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

function createSession(
  options: ImportOptions,
  labels?: Pick<LabelJoin, 'find' | 'report'>,
): ImportSession {
  const importers = chooseImporters(options.importers, options.format);
  const rules = createRunRules(options, labels);
  const groups = createPieceGroups(
    importers.groupers,
    importers.own,
    options.maxHeldBytes ?? DEFAULT_MAX_HELD_BYTES,
  );
  const { signal } = options;

  async function* importAll(all: Iterable<Gathered>): AsyncGenerator<ImportedTrace> {
    for (const gathered of all) {
      signal?.throwIfAborted();
      const { file, line } = gathered;
      if ('error' in gathered) yield { kind: 'error', file, line, error: gathered.error };
      else {
        const importer = chooseImporter(gathered, importers, options);
        if ('read' in importer) yield* importValue(gathered, importer, rules);
        else yield { kind: 'error', file, line, error: importer };
      }
      for (const error of importers.takeProblems(line)) yield { kind: 'error', file, line, error };
    }
  }

  async function* readItems(
    items: AsyncIterable<JsonItem>,
    name: string | undefined,
    budget?: UnpackBudget,
  ): AsyncGenerator<ImportedTrace> {
    let entry: string | undefined;
    for await (const item of items) {
      const { line } = item;
      // Each file of an archive is an input of its own.
      if (item.entry !== entry) yield* importAll(groups.endInput());
      entry = item.entry;
      const file = [name, entry].filter((part) => part !== undefined).join('/') || undefined;
      if ('error' in item) yield { kind: 'error', file, line, error: item.error };
      else if (isNestedDeeper(item.value)) {
        yield { kind: 'error', file, line, error: tooDeep(line) };
      } else {
        // Most values are pieces, of which nothing comes yet.
        const before = groups.heldRuns();
        const ready = [...groups.add(item, file)];
        // Those that wait for the end of all are still of this input.
        if (budget?.isPacked) budget.values -= RUN * Math.max(0, groups.heldRuns() - before);
        if (ready.length > 0) yield* importAll(ready);
      }
    }
    yield* importAll(groups.endInput());
  }

  return {
    survey: async () => undefined,
    surveyObjects: async () => undefined,
    read(source, name) {
      const budget = createBudget();
      const items = readRecording(untilAborted(toByteChunks(source), signal), options, budget);
      return untilHopeless(untilSpent(readItems(items, name, budget), budget));
    },
    readObjects: (objects, name) => readItems(untilAborted(readObjects(objects), signal), name),
    async *end() {
      yield* importAll(groups.end());
      const { runs, tracesWithoutAgent } = rules.report();
      if (runs === 0 && tracesWithoutAgent > 0) yield noAgentItem(rules);
    },
    heldBytes: groups.heldBytes,
    report: () => rules.report(),
  };
}

function tooDeep(line: number): ImportProblem {
  const expected = `a value nested at most ${MAX_NESTING} levels deep`;
  return describeProblem('value_too_deep', { line }, expected, 'a deeper one');
}

function chooseImporter(
  { line, value }: GatheredValue,
  importers: ImporterChoice,
  { format: chosen }: ImportOptions,
): Importer | ImportProblem {
  // Chosen by name, even what hardly looks like a trace is left to validation to explain.
  if (chosen === KP_FORMAT) return kpImporter;
  const isOwn = importers.own.some((importer) => importer.detect(value) !== undefined);
  return detectFormat(value, isOwn ? importers.own : importers.all, line);
}

async function* importValue(
  gathered: GatheredValue,
  importer: Importer,
  rules: RunRules,
): AsyncGenerator<ImportedTrace> {
  const { file, line, value } = gathered;
  if (importer.name === KP_FORMAT) {
    const place = { file, line };
    const crashed = await importOwnCrash(value, rules, place);
    const own = crashed ?? importOwnTrace(value, rules, place);
    yield { file, line, format: KP_FORMAT, record: value, ...own };
    return;
  }
  for (const run of readRuns(importer, value)) {
    if (run instanceof NoAgentError) rules.countTraceWithoutAgent(run);
    else if (run instanceof RecordingError) yield errorItem(run, gathered);
    else yield* importRun(importer.name, run, rules, gathered);
  }
}

async function* importRun(
  format: string,
  run: RecordedRun,
  rules: RunRules,
  gathered: GatheredValue,
): AsyncGenerator<ImportedTrace> {
  const { file, line } = gathered.pieces[run.piece ?? 0] ?? gathered;
  const crash = run.verdicts?.find(({ rank }) => rank === 'crash');
  if (run.steps.length === 0 && crash !== undefined) {
    const crashed = await buildCrashedRun(format, run, crash, rules, { file, line });
    yield { file, line, format, record: run.record, ...crashed };
    return;
  }
  try {
    const built = await buildByRules(format, run, rules, { file, line });
    yield { file, line, format, record: run.record, ...built };
  } catch (error) {
    if (!(error instanceof RecordingError)) throw error;
    yield errorItem(error, gathered);
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

/** One line for all traces of an import in which no agent did anything. */
function noAgentItem(rules: RunRules): ImportedTrace {
  const { tracesWithoutAgent: amount } = rules.report();
  const { expected, spans } = rules.firstWithoutAgent() ?? { expected: 'an agent', spans: [] };
  const traces = amount === 1 ? 'a trace' : `${amount} traces`;
  const seen = `${traces} without one, with spans such as ${spans.join(', ')}`;
  const error = describeProblem('NO_AGENT', { line: 1 }, expected, seen);
  return { kind: 'error', line: 1, error };
}

/** An error in a piece is where the piece is. */
function errorItem(error: RecordingError, gathered: GatheredValue): ImportedTrace {
  const { code, expected, received, piece } = error;
  const place: RunPlace = gathered.pieces[piece ?? 0] ?? gathered;
  const { file, line } = place;
  const message = `line ${line}: ${error.message}`;
  return { kind: 'error', file, line, error: { code, message, line, expected, received } };
}
