import {
  type FormulaIdentity,
  type ScoringWeights,
  safeParseTrace,
  scoreTrace,
} from '@knowledgepulse/sdk';
import {
  contentKey,
  createMessageCounter,
  finalAnswer,
  type OutcomeModel,
  outcomeFeatures,
  textsOfTask,
} from '@kp/curation';
import type { LabelAssignments, LabelReport } from '@kp/importers';
import { isTrainingLayout, keptText, type Layout } from '../export/layouts.ts';
import { createAgentNames } from '../outcomes/agents.ts';
import { loadOutcomeModel } from '../outcomes/outcome-model-file.ts';
import type { ExitStatus } from '../output/exit.ts';
import { jsonText } from '../output/text.ts';
import { recordDigest } from '../runs/corpus-summary.ts';
import { readJson } from '../runs/named-files.ts';
import { openRuns, type ReadingChoices } from '../runs/open-runs.ts';
import { packMessages, packWords } from '../runs/packed-runs.ts';
import type { Run } from '../runs/run.ts';
import { fieldsOf, type RunFields } from '../runs/run-fields.ts';
import { digestFiles, type FileDigest } from '../selection/provenance-record.ts';
import { createTable } from './columns.ts';
import type { ReadingFlags } from './corpus-options.ts';
import { writeCrashed } from './crashed-rows.ts';
import { keyNumber } from './division.ts';
import { takeShard } from './input-shards.ts';
import { createRunClues, userMessages } from './run-clues.ts';
import { createRunSample } from './run-sample.ts';
import { createVocabulary, writeMessages } from './shard-words.ts';
import { checkSpans, type ReadSpans } from './spans.ts';
import { checkOfText } from './stored-texts.ts';
import { RUN_COLUMNS } from './tables.ts';
import type { TaskOutputs } from './task-outputs.ts';
import { createVerdictCounter, type OpenVerdicts } from './verdict-counter.ts';

/** The input of a shard: the recordings, and how to read them. */
export interface MapRequest {
  readonly files: readonly string[];
  readonly flags: ReadingFlags;
  /** From 0. */
  readonly shard: number;
  readonly of: number;
  /**
   * The recordings and options as command-line arguments, and the folder in which to run the
   * command.
   */
  readonly words: readonly string[];
  readonly folder: string;
}

/** The record of a shard. */
export interface MapFacts extends ReadSpans {
  /** Digest of the recordings by name and size, and of the options; equal for all shards. */
  readonly corpus: string;
  readonly shard: number;
  readonly of: number;
  readonly words: readonly string[];
  readonly folder: string;
  readonly layout: Layout;
  /** The files of options that decide how recordings are read; empty except for the first shard. */
  readonly optionFiles: readonly FileDigest[];
  readonly runs: number;
  /** Number of runs by verdict. */
  readonly succeeded: number;
  readonly failed: number;
  readonly graded: number;
  /** Number of runs with the name of their task. */
  readonly named: number;
  readonly vocabulary: number;
  readonly formula: FormulaIdentity | null;
  readonly weights: Readonly<Record<string, ScoringWeights>>;
  /** Field that names the agents; null for the model. Whether a run of the shard has it. */
  readonly agentKey: string | null;
  readonly hasAgents: boolean;
  /** Null without a model; the features of the runs are then not stored. */
  readonly outcomeModel: OutcomeModel | null;
  /** No run with a greater digest is in the sample of the corpus; null if the shard has few runs. */
  readonly sampleLimit: string | null;
  /** Number of runs that crashed before their first step, which have no score. */
  readonly crashed: number;
  /** Number of parts of the input that are not valid runs. */
  readonly refused: number;
  /** Number of problems that were reported, including those parts. */
  readonly problems: number;
  /** Number of runs that `--where` left out. */
  readonly leftOut: number;
  /** How labels match the runs of all shards, and the number of runs that have one; null without labels. */
  readonly labels: { readonly report: LabelReport; readonly runs: number } | null;
  /** Number of runs by where their outcome comes from; some of another shard may count as well. */
  readonly sources: { readonly graded: number; readonly assumed: number };
  readonly openVerdicts: OpenVerdicts;
  /** Words of `--domain` that no run needed. */
  readonly unusedDomains: readonly string[];
  /** Globs of `--exclude` that left out nothing; equal for all shards. */
  readonly unusedGlobs: readonly string[];
  /** Number of files of other kinds in the folders, and of those that `--exclude` left out; equal for all shards. */
  readonly otherFiles: number;
  readonly excluded: number;
  /** Files of the folders whose part in the shard contains no recording; see `filesWithoutRecording`. */
  readonly foreign: readonly string[];
  readonly status: ExitStatus;
}

/**
 * Reads the runs of a shard and writes the outputs of its task.
 *
 * @param labelling - `keepLabels` stores the labels for the other shards; by default they are read here alone.
 */
export async function readShard(
  { files, flags, shard, of, words, folder }: MapRequest,
  corpus: string,
  outputs: TaskOutputs,
  onProgress: () => void,
  { keepLabels, reportsLabels }: Pick<ReadingChoices, 'keepLabels' | 'reportsLabels'>,
): Promise<MapFacts> {
  const outcomeModel = await readModel(flags);
  let read: ReadSpans = { spans: [], forbidden: [] };
  let assignments: LabelAssignments | undefined;
  const opened = await openRuns(files, flags, 'reading', {
    onNames: onProgress,
    keepLabels:
      keepLabels &&
      (async (survey) => {
        assignments = await keepLabels(survey);
        return assignments;
      }),
    reportsLabels,
    reportsInputs: shard === 0,
    needsAll: true,
    async take(inputs, options) {
      const { inputs: taken, ...spans } = await takeShard(inputs, options, shard, of);
      read = spans;
      return taken;
    },
  });
  const { terminal } = opened;
  const rows = await createTable(await outputs.begin('runs', 'parquet'), RUN_COLUMNS);
  const kept = await outputs.begin('texts', 'jsonl');
  const answers = await outputs.begin('answers', 'jsonl');
  const agents = createAgentNames(flags);
  const clues = createRunClues(await outputs.begin('clues', 'jsonl'));
  const keys = await outputs.begin('keys', 'f64');
  const sample = createRunSample();
  const openVerdicts = createVerdictCounter();
  const vocabulary = createVocabulary();
  const counter = createMessageCounter();
  const totals = { runs: 0, succeeded: 0, failed: 0, graded: 0, named: 0 };
  const weights: Record<string, ScoringWeights> = {};
  let formula: FormulaIdentity | null = null;
  let textOffset = 0;
  for await (const run of opened.runs) {
    const parsed = safeParseTrace(run.trace);
    if (!parsed.success) {
      opened.refuse(run, parsed.error);
      continue;
    }
    const fields = fieldsOf(run);
    const key = await contentKey(run.trace);
    const digest = recordDigest(run);
    const report = scoreTrace(run.trace, 0);
    formula ??= report.formula;
    weights[report.profile] ??= report.weights;
    const texts = textsOfTask(run.trace);
    const messages = await counter.add(
      run.trace,
      run.provenance?.task ?? run.provenance?.instructions,
    );
    const users = userMessages(messages, texts);
    const packed = {
      words: packWords(vocabulary.add(texts)),
      messages: packMessages(messages),
    };
    const text = Buffer.from(`${textOf(run, fields, flags.to)}\n`);
    await kept.write(text);
    const keyBytes = Buffer.from(key, 'hex');
    await keys.write(new Uint8Array(Float64Array.of(keyNumber(keyBytes)).buffer));
    await rows.add({
      key: keyBytes,
      digest: Buffer.from(digest, 'hex'),
      trace: fields.trace,
      file: fields.file,
      line: fields.line,
      task: fields.task,
      success: fields.success,
      grade: fields.grade,
      profile: report.profile,
      complexity: report.dimensions.complexity,
      tool_diversity: report.dimensions.toolDiversity,
      outcome_confidence: report.dimensions.outcomeConfidence,
      facts: JSON.stringify(report.facts),
      rules: JSON.stringify(report.overrides),
      ...packed,
      clue: await clues.add(fields, run.provenance, users),
      text_offset: textOffset,
      text_bytes: text.length - 1,
      text_check: checkOfText(text.subarray(0, -1)),
    });
    await answers.write(
      jsonText([
        agents.of(run, fields),
        finalAnswer(run.trace),
        ...(outcomeModel === null ? [] : [outcomeFeatures(run.trace)]),
      ]),
    );
    sample.add({ run, fields, key, digest, users, ...packed });
    textOffset += text.length;
    openVerdicts.add(run.provenance);
    totals.runs++;
    if (fields.success === true) totals.succeeded++;
    if (fields.success === false) totals.failed++;
    if (fields.grade !== null) totals.graded++;
    if (fields.task !== null) totals.named++;
    terminal.progress.scored();
    onProgress();
  }
  terminal.stopped.throwIfAborted();
  await rows.end();
  await vocabulary.write(outputs);
  await writeMessages(counter.tasks(), outputs);
  const sampleLimit = await sample.write(await outputs.begin('sample', 'jsonl'));
  const crashed = opened.crashed();
  await writeCrashed(crashed, outputs);
  const refused = opened.refused().length;
  const { success, unusedDomains, unusedGlobs, otherFiles, excluded } = opened.facts();
  const { graded, assumed } = success;
  const labelled = assignments && { report: assignments.report, runs: assignments.assigned.length };
  const status = opened.close();
  await checkSpans(read);
  const { labels, map, importer = [], outcomeModel: model } = flags;
  const optionFiles = shard === 0 ? await digestFiles([labels, map, ...importer, model]) : [];
  return {
    corpus,
    shard,
    of,
    words,
    folder,
    layout: flags.to,
    ...read,
    optionFiles,
    ...totals,
    vocabulary: vocabulary.size(),
    formula,
    weights,
    crashed: crashed.length,
    refused,
    problems: terminal.problems(),
    leftOut: opened.leftOut(),
    foreign: opened.foreign(),
    status,
    labels: labelled ?? null,
    sources: { graded, assumed },
    openVerdicts: openVerdicts.counts(),
    unusedDomains,
    unusedGlobs,
    otherFiles,
    excluded,
    sampleLimit,
    outcomeModel,
    agentKey: flags.agentKey ?? null,
    hasAgents: agents.isKnown(),
  };
}

/** A training layout needs more of a run than its conversation; see `ChosenText`. */
function textOf(run: Run, fields: RunFields, layout: Layout): string {
  const text = keptText(run, layout);
  if (!isTrainingLayout(layout)) return text;
  return `[${text},${JSON.stringify(fields)},${JSON.stringify(run.provenance ?? null)}]`;
}

/** @throws UsageError if the file contains no model of this version. */
async function readModel(flags: ReadingFlags): Promise<OutcomeModel | null> {
  if (flags.outcomeModel === undefined) return null;
  await loadOutcomeModel(flags);
  return (await readJson(flags.outcomeModel, '--outcome-model')) as OutcomeModel;
}
