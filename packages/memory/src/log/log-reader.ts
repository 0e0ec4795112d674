import type { MemoryAnswer } from '@kp/scoring';
import { MemoryStoreError, messageOf } from '../errors.ts';
import type { ResolvedOptions } from '../options.ts';
import type { Answers } from './answers.ts';
import { LocalEntries } from './local-entries.ts';
import {
  type LogAnswer,
  type LogFacts,
  type LogRow,
  type Mark,
  type MemoryLog,
  markOf,
  type NewRow,
  type Space,
  START,
  type StoredEntry,
} from './log.ts';
import { persist } from './persist.ts';
import type { Question, Waiting } from './question.ts';
import { nextTurn, TurnClock } from './turns.ts';
import { VectorReader } from './vector-bytes.ts';
import { WaitingLine } from './waiting-line.ts';

const MOST_IN_A_BATCH = 256;
const READ_BYTES = 500_000;
const PRUNE_AFTER = 1000;

/** Reads a log into the process and answers from there. */
export class LogReader implements Answers {
  readonly #log: MemoryLog;
  readonly #options: ResolvedOptions;
  readonly #readLimit: number;
  readonly #line: WaitingLine;
  #entries: LocalEntries;
  #mark: Mark = START;
  #rowsUnpruned = 0;
  readonly #clock = new TurnClock();
  #pruning: Promise<void> | undefined;

  constructor(log: MemoryLog, options: ResolvedOptions) {
    this.#log = log;
    this.#options = options;
    this.#line = new WaitingLine(MOST_IN_A_BATCH, (batch) => this.#answerBatch(batch));
    this.#entries = new LocalEntries(log.space);
    const rowBytes = log.space.dimensions * 4 + 100;
    const fitting = Math.floor((log.readBytes ?? READ_BYTES) / rowBytes);
    this.#readLimit = Math.min(2000, Math.max(16, fitting));
  }

  get engine(): string {
    return this.#log.engine;
  }

  get space(): Space {
    return this.#log.space;
  }

  get waiting(): number {
    return this.#line.waiting;
  }

  ask(question: Question, signal: AbortSignal | undefined): Promise<MemoryAnswer> {
    return this.#line.ask(question, signal);
  }

  size(): Promise<number> {
    return this.#upToDate((entries) => entries.size);
  }

  forget(key: string): Promise<number> {
    return this.#line.alone(async () => {
      const erased = await this.#persist((deadline) => this.#log.forget(key, deadline));
      await this.#catchUp();
      return erased;
    });
  }

  /**
   * What is remembered, from the store.
   *
   * @throws {@link MemoryStoreError} `MEMORY_UNAVAILABLE` when another history takes the place of the
   * store's meanwhile: what was listed may be lacking then.
   */
  async *stored(): AsyncGenerator<StoredEntry> {
    await this.#upToDate(() => undefined);
    const vectors = new VectorReader(this.#log.space.dimensions);
    for (let mark: Mark = START; ; ) {
      const after = mark;
      const answer = await this.#persist((deadline) =>
        this.#log.read(after, this.#readLimit, deadline),
      );
      if (answer.outcome !== 'rows') {
        throw new MemoryStoreError({
          code: 'MEMORY_UNAVAILABLE',
          subject: this.#log.engine,
          expected: 'one history while it is listed',
          received: 'another in its place',
          remedy: 'list it again',
        });
      }
      for (const row of answer.rows) {
        const { key, vector, addedAt } = row;
        if (vector !== undefined && this.#entries.keeps(row)) {
          yield { key, vector: vectors.read(vector).slice(), addedAt };
        }
        mark = markOf(row);
      }
      if (answer.rows.length < this.#readLimit) return;
    }
  }

  facts(): Promise<LogFacts> {
    return this.#log.facts();
  }

  close(): Promise<void> {
    return this.#line.end(async () => {
      await this.#pruning;
      await this.#log.close();
    });
  }

  /** What `look` finds when all that others appended before this call has been read. */
  #upToDate<T>(look: (entries: LocalEntries) => T): Promise<T> {
    return this.#line.alone(async () => {
      await this.#catchUp();
      return look(this.#entries);
    });
  }

  async #answerBatch(batch: readonly Waiting[]): Promise<void> {
    await this.#answer(batch);
    this.#prune();
  }

  async #answer(batch: readonly Waiting[]): Promise<void> {
    const own = new Map<string, Waiting[]>();
    const news: NewRow[] = [];
    const others: Waiting[] = [];
    for (const waiting of batch) {
      const { question } = waiting;
      if (question.kind === 'nearest' || this.#isRepeat(question)) {
        others.push(waiting);
        continue;
      }
      const same = own.get(question.operationId);
      if (same !== undefined) {
        same.push(waiting);
      } else {
        own.set(question.operationId, [waiting]);
        news.push(question);
      }
    }
    if (news.length === 0) {
      await this.#catchUp();
    } else {
      const append = (deadline: number) => this.#log.append(news, this.#mark, deadline);
      await this.#take(await this.#rowsOf(append), own);
    }
    for (const waiting of others) await this.#answerOther(waiting);
  }

  async #answerOther(waiting: Waiting): Promise<void> {
    const { question, resolve } = waiting;
    if (question.kind === 'nearest') {
      resolve({ nearest: this.#entries.nearest(question.vector, question.floor) });
    } else if (this.#isRepeat(question)) {
      resolve(question.compare ? this.#entries.repeat(question.key, question.vector) : {});
    } else {
      // Another process forgot or replaced it in between: it is new after all.
      await this.#answer([waiting]);
    }
    if (this.#clock.isOver()) await nextTurn();
  }

  #isRepeat(question: NewRow): boolean {
    const { kind, key, vector } = question;
    return kind === 'replace' && this.#entries.holds(key, vector);
  }

  async #take(rows: readonly LogRow[], own: ReadonlyMap<string, Waiting[]>): Promise<void> {
    for (const row of rows) {
      const askers = own.get(row.operationId ?? '');
      const vector = row.vector ?? askers?.[0]?.question.vector;
      const isAsked = askers?.some(({ question }) => 'compare' in question && question.compare);
      if (row.position > this.#mark.position) {
        const answer = this.#entries.take(row, vector, isAsked === true);
        this.#mark = markOf(row);
        this.#rowsUnpruned++;
        for (const { resolve } of askers ?? []) resolve(answer ?? {});
      } else if (vector !== undefined) {
        const answer = this.#entries.answerAt(row.position, row.key, vector);
        for (const { resolve } of askers ?? []) resolve(answer);
      }
      if (this.#clock.isOver()) await nextTurn();
    }
  }

  async #catchUp(): Promise<void> {
    if (this.#mark === START) {
      const rows = await this.#persist(async (deadline) => this.#log.rowsKept?.(deadline));
      if (rows) this.#entries.expect(rows);
      await nextTurn();
    }
    for (;;) {
      if (this.#clock.isOver()) await nextTurn();
      const read = (deadline: number) => this.#log.read(this.#mark, this.#readLimit, deadline);
      const answer = await this.#persist(read);
      if (answer.outcome === 'reload') {
        this.#reload();
      } else if (answer.outcome === 'rows') {
        await this.#take(answer.rows, new Map());
        if (answer.rows.length < this.#readLimit) {
          this.#entries.advance(answer.now);
          return;
        }
      }
    }
  }

  /** Calls until there are rows, reading up where the log asks for it. */
  async #rowsOf(call: (deadline: number) => Promise<LogAnswer>): Promise<readonly LogRow[]> {
    for (;;) {
      const answer = await this.#persist(call);
      if (answer.outcome === 'rows') return answer.rows;
      if (answer.outcome === 'reload') this.#reload();
      await this.#catchUp();
    }
  }

  #reload(): void {
    const message = `${this.#log.engine}: the log is not a continuation of what was read; reading it anew`;
    this.#options.onWarning({ code: 'MEMORY_RELOADED', message });
    this.#entries = new LocalEntries(this.#log.space);
    this.#mark = START;
    this.#rowsUnpruned = 0;
  }

  #persist<T>(call: (deadline: number) => Promise<T>): Promise<T> {
    return persist(this.#log.engine, this.#options, call);
  }

  /** Deletes, now and then and beside all else, the rows before the oldest that is needed. */
  #prune(): void {
    const { maxElements } = this.#log.space;
    if (this.#pruning !== undefined || this.#rowsUnpruned < PRUNE_AFTER + maxElements / 4) return;
    this.#rowsUnpruned = 0;
    const before = Math.min(this.#entries.oldestPosition ?? Infinity, this.#mark.position);
    this.#pruning = this.#log
      .prune(before)
      .catch((cause: unknown) => {
        const message = `${this.#log.engine}: old rows could not be deleted: ${messageOf(cause)}`;
        this.#options.onWarning({ code: 'MEMORY_NOT_PRUNED', message, cause });
      })
      .finally(() => {
        this.#pruning = undefined;
      });
  }
}
