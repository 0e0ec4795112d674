import type { ScoreReport } from '@knowledgepulse/sdk';
import { type Band, type Bands, bandOf } from '@kp/curation';
import { UsageError } from './exit.ts';
import { readJson } from './inputs.ts';
import { count } from './text.ts';

const KIND = 'kp-bands/1';

/** Bands and what made the vectors that they were calibrated on: they hold for no others. */
export interface BandsFile extends Bands {
  readonly kind: typeof KIND;
  readonly vectors: string;
}

export function bandsFile(bands: Bands, vectors: string): BandsFile {
  return { kind: KIND, vectors, ...bands };
}

/** @throws {@link UsageError} when it is no file of bands. */
export async function loadBands(path: string): Promise<BandsFile> {
  const value = (await readJson(path, '--bands')) as Partial<BandsFile> | null;
  const isBands =
    value?.kind === KIND &&
    typeof value.redundantAbove === 'number' &&
    typeof value.falseDuplicateRate === 'number' &&
    typeof value.tasks === 'number' &&
    ['number', 'undefined'].includes(typeof value.newBelow) &&
    typeof value.vectors === 'string' &&
    (value.method === 'conformal' || value.method === 'estimated');
  if (isBands) return value as BandsFile;
  throw new UsageError(`--bands ${path}: expected a file that kp calibrate -o wrote`);
}

/** Tells the band of each run, and counts them. */
export interface BandTeller {
  readonly bands: Bands;
  /** @throws {@link UsageError} when the run was compared with vectors of another kind. */
  bandOf(report: ScoreReport): Band;
  describe(): readonly string[];
}

/**
 * By the bands of a file; none where no file is given.
 *
 * @throws {@link UsageError} when it is no file of bands.
 */
export async function openBandTeller(path: string | undefined): Promise<BandTeller | undefined> {
  if (path === undefined) return undefined;
  const bands = await loadBands(path);
  const counts = { keep: 0, uncertain: 0, redundant: 0 };
  return {
    bands,
    bandOf({ novelty: { embedder, nearest, source } }) {
      if (embedder !== undefined && embedder !== bands.vectors) {
        throw new UsageError(
          `--bands ${path}: expected novelty from ${bands.vectors}, on which it was calibrated, ` +
            `received ${embedder}; kp calibrate with the same options makes one for these`,
        );
      }
      const alone = source === 'empty_memory' || source === 'corpus' ? 'keep' : 'uncertain';
      const band = nearest === undefined ? alone : bandOf(nearest.similarity, bands);
      counts[band]++;
      return band;
    },
    describe: () => [
      `${counts.keep} to keep, ${counts.uncertain} uncertain, ${counts.redundant} redundant ` +
        `(${describeMethod(bands)})`,
    ],
  };
}

/** Where bands come from and what they promise, in a few words. */
export function describeMethod({ method, falseDuplicateRate, tasks }: Bands): string {
  return method === 'estimated'
    ? 'estimated without tasks: no rate is promised'
    : `calibrated on ${count(tasks, 'task')}: at most ${Number((falseDuplicateRate * 100).toFixed(2))} % false duplicates`;
}
