import { assertFields } from '@kp/foundation';
import { untilAborted } from '../bytes/abort.ts';
import { type ByteSource, toByteChunks } from '../bytes/byte-source.ts';
import { createBudget, type UnpackBudget } from '../containers/limits.ts';
import { fileName, readRecording } from '../containers/read-recording.ts';
import { RUN } from '../containers/value-costs.ts';
import { detectFormat } from '../detection/detect-format.ts';
import type { ImportProblem } from '../errors/errors.ts';
import { kpImporter } from '../formats/kp/kp.ts';
import { KP_FORMAT } from '../formats/kp/own-trace.ts';
import type { Importer } from '../importer/importer.ts';
import { excessOf, parseEmbedded } from '../json/json-value.ts';
import type { LinePreparer, PreparedLine } from '../json-stream/line-blocks.ts';
import type { PreparedItem, ReadItem } from '../json-stream/line-reader.ts';
import type { LabelJoin } from '../labels/label-join.ts';
import type { ImportOptions } from '../rules/import-options.ts';
import { createRunRules } from '../rules/run-rules.ts';
import { chooseImporters, type ImporterChoice } from './choose-importers.ts';
import { excessProblem, stopAfterErrors, untilSpent } from './import-bounds.ts';
import type { ImportSession } from './import-session.ts';
import { importValue } from './import-value.ts';
import type { ImportedItem, ImportedTrace } from './imported-trace.ts';
import { CHECKED_LINES, createInputFormats, type InputFormats } from './input-formats.ts';
import {
  createPieceGroups,
  type Gathered,
  type GatheredLines,
  type GatheredValue,
} from './piece-groups.ts';
import { formatOf, importPrepared } from './prepared-trace.ts';
import { readObjects } from './read-objects.ts';
import { withoutRepeats } from './repeated-traces.ts';
import { noAgentItem, withoutEmptySessions } from './without-agent.ts';

const DEFAULT_MAX_HELD_BYTES = 2 ** 26;
/** Problems reported of a refused input, which may be a long text. */
const REFUSED_PROBLEMS = 20;

/** Creates a session without a survey. */
export function createSession(
  options: ImportOptions,
  labels?: Pick<LabelJoin, 'find' | 'report'>,
): ImportSession {
  const importers = chooseImporters(options.importers, options.format);
  const rules = createRunRules(options, labels);
  const uncounted = createRunRules(options);
  const { groupers, own, isOwnTrace } = importers;
  const { signal, maxHeldBytes = DEFAULT_MAX_HELD_BYTES } = options;
  const groups = createPieceGroups(groupers, own, maxHeldBytes, isOwnTrace);

  async function* importAll(all: Iterable<Classified>): AsyncGenerator<ImportedItem> {
    for (const { gathered, importer } of all) {
      signal?.throwIfAborted();
      const { file, line } = gathered;
      if ('error' in gathered) yield { kind: 'error', file, line, error: gathered.error };
      else if (!('read' in importer)) yield { kind: 'error', file, line, error: importer };
      else if ('item' in gathered) yield importPrepared(gathered, rules, uncounted);
      else yield* importValue(gathered, importer, rules);
      for (const error of importers.takeProblems(line)) yield { kind: 'error', file, line, error };
    }
  }

  /** Determines the importer of each value, or why there is none, and records it in `formats`. */
  function* classify(all: Iterable<Gathered>, formats?: InputFormats): Iterable<Classified> {
    for (const gathered of all) {
      const importer =
        'error' in gathered ? gathered.error : chooseImporter(gathered, importers, options);
      const refusal = formats?.check(importer, gathered);
      if (refusal === undefined || !('item' in gathered)) {
        yield { gathered, importer: refusal ?? importer };
        continue;
      }
      for (const { line } of gathered.item.prepared) {
        const error = formats?.check(importer, { ...gathered, line }) ?? refusal;
        yield { gathered: { file: gathered.file, line, value: null, pieces: [] }, importer: error };
      }
    }
  }

  /** Values of inputs that were not read to their end. */
  const leftOver: Classified[] = [];

  /** Opens a file, or a file of an archive. Its runs are held until its format is certain. */
  function openInput(file: string | undefined, isChecked: boolean) {
    groups.beginInput();
    const formats = createInputFormats(importers.own);
    let waiting: Classified[] | undefined = isChecked ? [] : undefined;
    let isRefused = false;
    return {
      /** Whether the format is not certain yet. */
      isOpen: () => waiting !== undefined,
      /** Adds further values and returns those that can be imported now. */
      add(all: Iterable<Gathered>): Classified[] {
        const classified = [...classify(all, formats)];
        if (isRefused) return classified.filter(isProblem);
        if (waiting === undefined) return classified;
        // Until something is recognised, there are only problems to report.
        if (!formats.isRecognised) return classified;
        for (const each of classified) waiting.push(each);
        // A ReasoningTrace names its own format, so a stream of traces need not be held.
        const isOwnFormat = classified.some(({ importer }) => importer === kpImporter);
        return isOwnFormat || formats.lines >= CHECKED_LINES ? this.settle() : [];
      },
      /** Returns the held values, or the reason why none of them can be imported. */
      settle(): Classified[] {
        const ready = waiting ?? [];
        waiting = undefined;
        // One reason suffices: it ended the input.
        const error = isChecked && !isRefused ? formats.settle() : undefined;
        if (error === undefined) return ready;
        isRefused = true;
        groups.dropInput();
        const refusal = { gathered: { file, line: error.line, error }, importer: error };
        return [...ready.filter(isProblem).slice(0, REFUSED_PROBLEMS), refusal];
      },
      hold: (importer: Importer, line: number): void => formats.note(importer, 1, line),
      /** Returns the last values to import. */
      close(): Classified[] {
        const rest = [...this.add(groups.endInput()), ...this.settle()];
        // Pieces that came after the refusal.
        if (isRefused) groups.dropInput();
        return rest;
      },
    };
  }

  async function* readItems(
    items: AsyncIterable<ReadItem>,
    name: string | undefined,
    budget?: UnpackBudget,
  ): AsyncGenerator<ImportedItem> {
    // Trust the caller about objects in memory.
    const isChecked =
      budget !== undefined && options.force !== true && options.format !== KP_FORMAT;
    let entry: string | undefined;
    let input = openInput(name, isChecked);
    let isClosed = false;
    try {
      for await (const item of items) {
        const { line } = item;
        const file = fileName(name, item.entry);
        // Treat each file of an archive as an input.
        if (item.entry !== entry) {
          yield* importAll(input.close());
          input = openInput(file, isChecked);
        }
        entry = item.entry;
        if ('prepared' in item) {
          const { isOpen } = input;
          for (const part of inOneFormat(item, isOpen)) {
            yield* importAll(input.add(groups.addPrepared(part, file)));
          }
          continue;
        }
        const excess = 'error' in item ? undefined : excessOf(item.value);
        if ('error' in item) yield* importAll(input.add([{ file, line, error: item.error }]));
        else if (excess !== undefined) {
          yield* importAll(input.add([{ file, line, error: excessProblem(excess, line) }]));
        } else {
          // Most values are pieces and yield nothing yet.
          const before = groups.heldRuns();
          // Some programs write the JSON text of a JSON text. What an archive expands to is limited.
          const value = budget?.isPacked === true ? item.value : parseEmbedded(item.value);
          const ready = [...groups.add({ ...item, value: value ?? null }, file, input.hold)];
          // Runs that wait for further inputs count against this input.
          if (budget?.isPacked) budget.values -= RUN * Math.max(0, groups.heldRuns() - before);
          if (ready.length > 0) yield* importAll(input.add(ready));
        }
      }
      isClosed = true;
      yield* importAll(input.close());
    } finally {
      // The reader stopped at a limit.
      if (!isClosed) for (const each of input.close()) leftOver.push(each);
    }
  }

  function readSource(
    source: ByteSource,
    name: string | undefined,
    preparer?: LinePreparer,
  ): AsyncGenerator<ImportedItem> {
    const budget = createBudget();
    const chunks = untilAborted(toByteChunks(source), signal);
    const { maxValueBytes, containers } = options;
    const items = readRecording(chunks, { maxValueBytes, containers, name, preparer }, budget);
    return stopAfterErrors(untilSpent(readItems(items, name, budget), budget));
  }

  return {
    survey: async () => undefined,
    surveyObjects: async () => undefined,
    labelAssignments: async () => undefined,
    // Without a preparer no item is prepared.
    read: (source, name) => readSource(source, name) as AsyncGenerator<ImportedTrace>,
    readAhead(source, name, preparer) {
      const prepares = importers.knowsOwnTraces && options.labels === undefined;
      return readSource(source, name, prepares ? preparer : undefined);
    },
    readObjects: (objects, name) => {
      const items = readItems(untilAborted(readObjects(objects), signal), name);
      return items as AsyncGenerator<ImportedTrace>;
    },
    async *end() {
      yield* importAll(leftOver) as AsyncGenerator<ImportedTrace>;
      const last = withoutRepeats([...classify(groups.end())], rules.countTraceWithoutAgent);
      yield* withoutEmptySessions(importAll(last), rules) as AsyncGenerator<ImportedTrace>;
      const { runs, tracesWithoutAgent } = rules.report();
      const first = rules.firstWithoutAgent();
      if (runs === 0 && first !== undefined) yield noAgentItem(tracesWithoutAgent, first);
    },
    countReport(report) {
      assertFields('report', report, {
        success: 'an object',
        choices: 'an array',
        unreadable: 'an array',
      });
      rules.countReport(report);
    },
    heldBytes: groups.heldBytes,
    report: () => rules.report(),
  };
}

/**
 * Divides prepared lines into those of one format.
 *
 * @param isOpen - whether the format of the input is not certain yet; then each line counts on its own.
 */
function* inOneFormat(
  { prepared, ...item }: PreparedItem,
  isOpen: () => boolean,
): Generator<PreparedItem> {
  for (let from = 0, to = 1; from < prepared.length; from = to++) {
    const first = prepared[from] as PreparedLine;
    const isLike = (line: PreparedLine | undefined): boolean =>
      line !== undefined && formatOf(line) === formatOf(first);
    if (!isOpen()) while (isLike(prepared[to])) to++;
    yield { ...item, line: first.line, prepared: prepared.slice(from, to) };
  }
}

/** A value with its importer, or the reason why there is none. */
interface Classified {
  readonly gathered: Gathered;
  readonly importer: Importer | ImportProblem;
}

function isProblem({ gathered }: Classified): boolean {
  return 'error' in gathered;
}

function chooseImporter(
  gathered: GatheredValue | GatheredLines,
  importers: ImporterChoice,
  { format: chosen }: ImportOptions,
): Importer | ImportProblem {
  if ('item' in gathered) {
    const format = formatOf(gathered.item.prepared[0] as PreparedLine);
    return importers.all.find(({ name }) => name === format) ?? kpImporter;
  }
  const { line, value } = gathered;
  // If the format is chosen by name, let validation explain values that hardly look like a trace.
  if (chosen === KP_FORMAT || importers.isOwnTrace(value)) return kpImporter;
  const isOwn = importers.own.some((importer) => importer.detect(value) !== undefined);
  return detectFormat(value, isOwn ? importers.own : importers.all, line);
}
