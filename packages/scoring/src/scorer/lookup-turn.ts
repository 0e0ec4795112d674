import type { Embedder } from '@kp/embedder';
import { codeOf, messageOf } from '@kp/foundation';
import type { NoveltyReport, NoveltySource } from '../formula/score-report.ts';
import { type EmbeddedText, embedTrace, type TraceEmbedding } from '../novelty/embed-trace.ts';
import { OperationTimeoutError } from '../novelty/errors.ts';
import type { EntryToVisit } from '../novelty/guard-memory.ts';
import type { MemoryOrder, MemoryTurn } from '../novelty/memory-order.ts';
import type { MemoryAnswer } from '../novelty/novelty-memory.ts';
import {
  type LazySignal,
  LONGEST_TIMER_MS,
  lazySignal,
  letProcessEnd,
} from '../novelty/operation.ts';
import type { Admission, Success } from './admission.ts';
import { BudgetExceededError } from './errors.ts';
import type { Warnings } from './warnings.ts';

/** What is asked about one trace. */
export interface LookupCall {
  readonly key: string;
  readonly text: EmbeddedText;
  readonly compare: boolean;
  readonly remember: boolean;
  /** A reading of `performance.now()`. */
  readonly startedAt: number;
  /** Milliseconds from then in which it is answered, come what may. */
  readonly budgetMs: number;
  /** Whether it may be refused when too much is pending; else whoever calls bounds that. */
  readonly mayBeShed: boolean;
  readonly signal: AbortSignal | undefined;
}

/** What all turns of a lookup share. */
export interface TurnParts {
  readonly embedder: Embedder;
  readonly operationTimeoutMs: number;
  readonly admission: Admission;
  readonly order: MemoryOrder<LookupTurn>;
  readonly warnings: Warnings;
  /** Nothing is pending any more. */
  onIdle: () => void;
}

// Timers fire up to about a millisecond late, and the report has to be made after that.
const LATENESS_MS = 2;

/** One call on its way: through the embedder, then, in call order, through the memory. */
export class LookupTurn implements MemoryTurn {
  entry: EntryToVisit | undefined;
  over = false;
  readonly #parts: TurnParts;
  readonly #call: LookupCall;
  /** Both do nothing once it is answered. */
  readonly #resolve: (report: NoveltyReport) => void;
  readonly #reject: (reason: unknown) => void;
  readonly #ahead: number;
  #embedding: TraceEmbedding | undefined;
  /** While the embedder is at it. */
  #embedderSignal: LazySignal | undefined;
  #budgetTimer: ReturnType<typeof setTimeout> | undefined;
  #embedderTimer: ReturnType<typeof setTimeout> | undefined;
  #onAbort: (() => void) | undefined;

  constructor(
    parts: TurnParts,
    call: LookupCall,
    resolve: (report: NoveltyReport) => void,
    reject: (reason: unknown) => void,
  ) {
    this.#parts = parts;
    this.#call = call;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#ahead = parts.admission.enter(call.text.text.length);
  }

  start(): void {
    const { order } = this.#parts;
    const { signal } = this.#call;
    order.push(this);
    this.#embed();
    this.#awaitBudget();
    if (signal === undefined) return;
    this.#onAbort = () => {
      this.#leave();
      this.#reject(signal.reason);
      this.#abandonEmbedding(signal.reason);
      void order.advance();
    };
    signal.addEventListener('abort', this.#onAbort, { once: true });
    // The embedder had its turn meanwhile, and may have to do with it.
    if (signal.aborted) this.#onAbort();
  }

  answered(answer: MemoryAnswer): void {
    this.#parts.warnings.clear('MEMORY_FAILED');
    this.#succeed(answer.nearest === undefined ? 'empty_memory' : 'nearest', answer);
  }

  failed(cause: unknown): void {
    if (this.over) return;
    this.#leave();
    const { embedder, warnings } = this.#parts;
    const embedded = this.#embedding !== undefined;
    const code = embedded ? 'MEMORY_FAILED' : 'EMBEDDER_FAILED';
    const failure = { code: codeOf(cause) ?? code, message: messageOf(cause) };
    const until = embedded ? '' : ' (novelty is 0.5 until an embedding succeeds)';
    warnings.warn(code, `${failure.message}${until}`, cause);
    const source = embedded ? 'memory_failed' : 'embedder_failed';
    if (!this.#call.compare) this.#reject(cause);
    else this.#resolve({ source, truncated: false, embedder: embedder.id, failure });
    this.#abandonEmbedding(cause);
  }

  #embed(): void {
    const { embedder, admission, order, warnings } = this.#parts;
    const { text, key, compare, remember } = this.#call;
    const lazy = lazySignal();
    this.#embedderSignal = lazy;
    embedTrace(embedder, text, lazy).then(
      (embedding) => {
        if (this.over) return admission.recover();
        this.#embedderSignal = undefined;
        admission.release(text.text.length);
        warnings.clear('EMBEDDER_FAILED');
        this.#embedding = embedding;
        if (embedding.empty) this.#succeed('no_text', {});
        else this.entry = { vector: embedding.vector, key, compare, remember };
        void order.advance();
      },
      (cause: unknown) => {
        if (this.over) return admission.recover();
        this.#embedderSignal = undefined;
        admission.release(text.text.length);
        this.failed(cause);
        void order.advance();
      },
    );
  }

  /** The embedder may go on, and hold the text: that is counted until it ends. */
  #abandonEmbedding(reason: unknown): void {
    const lazy = this.#embedderSignal;
    if (lazy === undefined) return;
    this.#parts.admission.release(this.#call.text.text.length);
    this.#parts.admission.abandon();
    lazy.abort(reason);
  }

  #awaitBudget(): void {
    const { startedAt, budgetMs } = this.#call;
    const { operationTimeoutMs } = this.#parts;
    // Mostly one timer is enough: the embedder's begins when the budget ends.
    const embedderFirst = operationTimeoutMs < budgetMs;
    if (embedderFirst) this.#awaitEmbedder(operationTimeoutMs);
    if (budgetMs > LONGEST_TIMER_MS) return;
    const leftMs = startedAt + budgetMs - LATENESS_MS - performance.now();
    const onBudget = (): void => {
      this.#answerLate();
      if (embedderFirst) return;
      this.#awaitEmbedder(operationTimeoutMs - budgetMs);
      // Nobody waits any more: a process that has nothing else to do may end.
      letProcessEnd(this.#embedderTimer);
    };
    this.#budgetTimer = setTimeout(onBudget, Math.max(0, leftMs));
  }

  #awaitEmbedder(timeoutMs: number): void {
    if (timeoutMs > LONGEST_TIMER_MS || this.#embedderSignal === undefined) return;
    const { embedder, operationTimeoutMs, order } = this.#parts;
    this.#embedderTimer = setTimeout(() => {
      if (this.#embedderSignal === undefined) return;
      this.failed(new OperationTimeoutError(`embedder ${embedder.id}`, operationTimeoutMs));
      void order.advance();
    }, timeoutMs);
  }

  #answerLate(): void {
    const { compare, budgetMs } = this.#call;
    const embedder = this.#parts.embedder.id;
    if (compare) this.#resolve({ source: 'budget_exceeded', truncated: false, embedder });
    else this.#reject(new BudgetExceededError(budgetMs));
  }

  #succeed(source: NoveltySource, { nearest, comparedWith }: MemoryAnswer): void {
    const at = performance.now();
    this.#leave({ ahead: this.#ahead, tookMs: at - this.#call.startedAt, at });
    const { truncated, tokens, chunks } = this.#embedding as TraceEmbedding;
    const embedder = this.#parts.embedder.id;
    const report: { -readonly [Field in keyof NoveltyReport]: NoveltyReport[Field] } = {
      source,
      truncated,
      embedder,
    };
    if (nearest !== undefined) report.nearest = nearest;
    if (comparedWith !== undefined) report.comparedWith = comparedWith;
    if (tokens !== undefined) report.tokens = tokens;
    if (chunks !== undefined) report.chunks = chunks;
    this.#resolve(report);
  }

  #leave(success?: Success): void {
    if (this.over) return;
    this.over = true;
    clearTimeout(this.#budgetTimer);
    if (this.#embedderTimer !== undefined) clearTimeout(this.#embedderTimer);
    if (this.#onAbort) this.#call.signal?.removeEventListener('abort', this.#onAbort);
    const { admission, warnings } = this.#parts;
    admission.leave(success);
    if (admission.pending > 0) return;
    warnings.clear('OVERLOADED');
    this.#parts.onIdle();
  }
}
