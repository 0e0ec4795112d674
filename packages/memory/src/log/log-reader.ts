import type { MemoryAnswer } from '@kp/scoring';
import { InvalidValueError } from '@kp/vector-cache';
import { damagedError } from '../errors.ts';
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
import { Pruner } from './pruner.ts';
import type { Question, Waiting } from './question.ts';
import { storedEntries } from './stored-entries.ts';
import { nextTurn, TurnClock } from './turns.ts';
import { WaitingLine } from './waiting-line.ts';

const MOST_IN_A_BATCH = 256;
const READ_BYTES = 500_000;

/** Reads a log into the process and answers from there. */
export class LogReader implements Answers {
  readonly #log: MemoryLog;
  readonly #options: ResolvedOptions;
  readonly #readLimit: number;
  readonly #line: WaitingLine;
  #entries: LocalEntries;
  #mark: Mark = START;
  readonly #clock = new TurnClock();
  readonly #pruner: Pruner;

  constructor(log: MemoryLog, options: ResolvedOptions) {
    this.#log = log;
    this.#options = options;
    this.#pruner = new Pruner(log, options);
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

  async *stored(): AsyncGenerator<StoredEntry> {
    await this.#upToDate(() => undefined);
    const read = (after: Mark, limit: number): Promise<LogAnswer> =>
      this.#persist((deadline) => this.#log.read(after, limit, deadline));
    yield* storedEntries(this.#log, this.#readLimit, read, (row) => this.#entries.keeps(row));
  }

  facts(): Promise<LogFacts> {
    return this.#log.facts();
  }

  close(): Promise<void> {
    return this.#line.end(async () => {
      await this.#pruner.end();
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
    this.#pruner.pruneWhenDue(() =>
      Math.min(this.#entries.oldestPosition ?? Infinity, this.#mark.position),
    );
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
      const rows = this.#rowsOf(append);
      await this.#foresee(news, own, rows);
      await this.#take(await rows, own);
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

  /** Compares while the rows are under way to the store, for as long as they are. */
  async #foresee(
    news: readonly NewRow[],
    own: ReadonlyMap<string, Waiting[]>,
    rows: Promise<unknown>,
  ): Promise<void> {
    const compared = news.filter(({ operationId }) => isCompared(own.get(operationId)));
    if (compared.length === 0 || this.#log.isSynchronous === true) return;
    let isOver = false;
    const end = (): void => {
      isOver = true;
    };
    rows.then(end, end);
    this.#entries.foreseeNone();
    // What is sent to the store leaves before the first search.
    await nextTurn();
    for (const row of compared) {
      if (isOver) return;
      this.#entries.foresee(row);
      if (this.#clock.isOver()) await nextTurn();
    }
  }

  async #take(rows: readonly LogRow[], own: ReadonlyMap<string, Waiting[]>): Promise<void> {
    for (const row of rows) {
      const askers = own.get(row.operationId ?? '');
      const vector = row.vector ?? askers?.[0]?.question.vector;
      if (row.position > this.#mark.position) {
        const answer = this.#takeRow(row, vector, isCompared(askers));
        this.#mark = markOf(row);
        this.#pruner.count();
        for (const { resolve } of askers ?? []) resolve(answer ?? {});
      } else if (vector !== undefined) {
        const answer = this.#entries.answerAt(row.position, row.key, vector);
        for (const { resolve } of askers ?? []) resolve(answer);
      }
      if (this.#clock.isOver()) await nextTurn();
    }
  }

  /** @throws {@link MemoryStoreError} `MEMORY_DAMAGED` when the store's vector is of no numbers. */
  #takeRow(row: LogRow, vector: LogRow['vector'], isAsked: boolean): MemoryAnswer | undefined {
    try {
      return this.#entries.take(row, vector, isAsked);
    } catch (error) {
      if (!(error instanceof InvalidValueError)) throw error;
      const place = `${this.#log.engine}, position ${row.position}`;
      throw damagedError(place, 'a vector of finite numbers', error.message, error);
    }
  }

  async #catchUp(): Promise<void> {
    if (this.#mark === START) {
      const rows = await this.#persist(async (deadline) => this.#log.rowsKept?.(deadline));
      // What opened the store has held this turn, and the memory of so many takes milliseconds too.
      await nextTurn();
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
    this.#pruner.restart();
  }

  #persist<T>(call: (deadline: number) => Promise<T>): Promise<T> {
    return persist(this.#log.engine, this.#options, call);
  }
}

function isCompared(askers: readonly Waiting[] | undefined): boolean {
  return askers?.some(({ question }) => 'compare' in question && question.compare) === true;
}
