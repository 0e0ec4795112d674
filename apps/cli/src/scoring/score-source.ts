import { conflict } from '../output/errors.ts';
import { inInputOrder, readCorpus } from '../runs/corpus.ts';
import type { OpenedRuns } from '../runs/open-runs.ts';
import type { ScoredRun } from '../runs/run.ts';
import { type BandTeller, openBandTeller } from './bands.ts';
import { formulaOf, profileRefused } from './formula-options.ts';
import { createOrderObserver } from './order-effect.ts';
import { createChosenScorer, type ScorerFlags, scoreRuns } from './scoring.ts';

export interface ScoreSourceFlags extends ScorerFlags {
  readonly corpus?: boolean;
  readonly bands?: string;
  readonly concurrency: number;
}

/** Where scored runs come from: one against those before it, or all as one corpus. */
export interface ScoreSource {
  /** In the order of the inputs. */
  scored(opened: OpenedRuns): AsyncIterable<ScoredRun>;
  /** What to say of it at the end. */
  notes(signal: AbortSignal): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** @throws UsageError when an option cannot be followed. */
export async function openScores(
  files: readonly string[],
  flags: ScoreSourceFlags,
): Promise<ScoreSource> {
  const teller = await openBandTeller(flags.bands);
  const source = flags.corpus === true ? corpusScores(flags) : await streamedScores(files, flags);
  return teller === undefined ? source : withBands(source, teller);
}

async function streamedScores(
  files: readonly string[],
  flags: ScoreSourceFlags,
): Promise<ScoreSource> {
  const isClosedSet = flags.memory === undefined && !files.includes('-');
  const observer = isClosedSet ? createOrderObserver() : undefined;
  const { scorer, describeMemory, close } = await createChosenScorer(flags, observer);
  return {
    async *scored(opened) {
      for await (const scored of scoreRuns(scorer, opened, flags.concurrency)) {
        observer?.add(scored.report);
        yield scored;
      }
    },
    notes: async (signal) => [
      ...((await observer?.describe(signal)) ?? []),
      ...(await describeMemory()),
    ],
    close,
  };
}

function corpusScores(flags: ScoreSourceFlags): ScoreSource {
  const { embedder, memory } = flags;
  if (memory !== undefined) {
    throw conflict('--corpus', '--memory', 'the runs are compared with each other');
  }
  if (embedder !== 'lexical') {
    throw conflict('--corpus', `--embedder ${embedder}`, 'the words of the corpus are compared');
  }
  return {
    async *scored(opened) {
      const corpus = await readScored(opened, flags);
      for (const scored of corpus === undefined ? [] : inInputOrder(corpus)) {
        const { fields, report } = scored;
        if (opened.scoreFilter?.matches({ fields, report }) !== false) yield scored;
      }
    },
    notes: async () => ['novelty is the mean over all orders of these runs'],
    close: async () => undefined,
  };
}

/** Undefined when it was interrupted. */
async function readScored(
  opened: OpenedRuns,
  flags: ScoreSourceFlags,
): Promise<Awaited<ReturnType<typeof readCorpus>> | undefined> {
  try {
    return await readCorpus(opened, { scoring: await formulaOf(flags) });
  } catch (error) {
    if (opened.terminal.stopped.aborted) return undefined;
    throw profileRefused(error);
  }
}

function withBands(source: ScoreSource, teller: BandTeller): ScoreSource {
  return {
    async *scored(opened) {
      for await (const scored of source.scored(opened)) {
        yield { ...scored, band: teller.bandOf(scored.report) };
      }
    },
    notes: async (signal) => [...teller.describe(), ...(await source.notes(signal))],
    close: () => source.close(),
  };
}
