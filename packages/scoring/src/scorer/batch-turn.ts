import { onAbort } from '@kp/foundation';
import type { NoveltyReport, ScoreReport } from '../formula/score-report.ts';
import type { TraceEmbedding } from '../novelty/embed-trace.ts';
import type { EntryToVisit } from '../novelty/guard-memory.ts';
import type { MemoryBatch } from '../novelty/memory-order.ts';
import type { MemoryAnswer } from '../novelty/novelty-memory.ts';
import type { Admission } from './admission.ts';
import { failedNovelty, foundNovelty } from './novelty-reports.ts';
import type { Warnings } from './warnings.ts';

/** A trace whose embedding is known, to compare and then remember. */
export interface EmbeddedCall {
  readonly key: string;
  readonly embedding: TraceEmbedding;
  /** Makes the report once the novelty is known. */
  readonly report: (novelty: NoveltyReport) => ScoreReport;
}

/** What a batch needs of its lookup. */
export interface BatchParts {
  readonly embedder: string;
  readonly admission: Admission;
  readonly warnings: Warnings;
  /** Called when nothing is pending any more. */
  readonly onIdle: () => void;
}

/** Traces that are compared and remembered in order, with nothing in between. */
export class BatchTurn implements MemoryBatch {
  over = false;
  readonly entries: readonly EntryToVisit[];
  readonly #parts: BatchParts;
  readonly #calls: readonly EmbeddedCall[];
  /** The call of each entry: traces without text have none. */
  readonly #callOf: number[] = [];
  readonly #reports: ScoreReport[] = [];
  readonly #resolve: (reports: readonly ScoreReport[]) => void;
  readonly #reject: (reason: unknown) => void;
  readonly #stopListening: (() => void) | undefined;

  constructor(
    parts: BatchParts,
    calls: readonly EmbeddedCall[],
    signal: AbortSignal | undefined,
    resolve: (reports: readonly ScoreReport[]) => void,
    reject: (reason: unknown) => void,
  ) {
    this.#parts = parts;
    this.#calls = calls;
    this.#resolve = resolve;
    this.#reject = reject;
    parts.admission.enter(0);
    this.#stopListening = signal && onAbort(signal, () => this.failed(signal.reason));
    const entries: EntryToVisit[] = [];
    for (const [index, { key, embedding }] of calls.entries()) {
      if (embedding.empty) {
        this.#report(index, foundNovelty(embedding, {}, parts.embedder));
        continue;
      }
      this.#callOf.push(index);
      const accept = (answer: MemoryAnswer): boolean => this.#accept(index, answer);
      entries.push({ vector: embedding.vector, key, compare: true, remember: true, accept });
    }
    this.entries = entries;
  }

  entryAnswered(entry: number, answer: MemoryAnswer): void {
    this.#parts.warnings.clear('MEMORY_FAILED');
    const index = this.#callOf[entry] as number;
    // A memory that compares and remembers in one step does not ask before.
    if (this.#reports[index] === undefined) this.#accept(index, answer);
  }

  entryFailed(entry: number, cause: unknown): void {
    const { warnings, embedder } = this.#parts;
    const novelty = failedNovelty('memory_failed', cause, embedder);
    warnings.warn('MEMORY_FAILED', novelty.failure?.message ?? '', cause);
    this.#report(this.#callOf[entry] as number, novelty);
  }

  finished(): void {
    if (this.over) return;
    this.#leave();
    this.#resolve(this.#reports);
  }

  failed(reason: unknown): void {
    if (this.over) return;
    this.#leave();
    this.#reject(reason);
  }

  #accept(index: number, answer: MemoryAnswer): boolean {
    if (this.over) return false;
    const { embedding } = this.#calls[index] as EmbeddedCall;
    this.#report(index, foundNovelty(embedding, answer, this.#parts.embedder));
    return true;
  }

  #report(index: number, novelty: NoveltyReport): void {
    this.#reports[index] = (this.#calls[index] as EmbeddedCall).report(novelty);
  }

  #leave(): void {
    this.over = true;
    this.#stopListening?.();
    const { admission, warnings, onIdle } = this.#parts;
    admission.leave();
    if (admission.pending > 0) return;
    warnings.clear('OVERLOADED');
    onIdle();
  }
}
