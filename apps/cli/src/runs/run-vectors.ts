import { type Embedder, embedderText } from '@knowledgepulse/sdk';
import {
  createCorpusVectorizer,
  createMessageCounter,
  RECURRING_MESSAGES_RULE,
  type RemainingMessages,
  type RunMessages,
  recurringMessages,
  remainingMessages,
  type SparseVectors,
  taskTexts,
} from '@kp/curation';
import { benchmarkTask, type Provenance } from '@kp/importers';
import { count, excerpt, grouped } from '../output/text.ts';
import type { Run } from './run.ts';

/** One vector per run, in reading order. */
export interface RunVectors {
  /** Identity of the embedder. */
  readonly id: string;
  readonly vectors: SparseVectors | readonly Float32Array[];
  /** Version of the rule that left out messages; undefined if all were used. */
  readonly messageRule: string | undefined;
  /** Objective to show in place of the recorded one, by run. */
  readonly objectives: ReadonlyMap<number, string>;
  /** The objectives that the rule omitted; undefined if all objectives are as recorded. */
  readonly recurring: RecurringObjectives | undefined;
}

/** Number of runs whose objective the harness wrote. */
export interface RecurringObjectives {
  /** Number of different omitted messages, as objectives or later in a run. */
  readonly messages: number;
  /** Number of runs with another message as the objective, and without one. */
  readonly replaced: number;
  readonly none: number;
  /** The objective that was omitted in most runs. */
  readonly example: string;
}

/** Computes the vectors of runs without keeping the runs. */
export interface RunVectorizer {
  add(run: Run): Promise<void>;
  vectors(): RunVectors;
}

/** Shown as the objective of a run if the harness wrote all its messages. */
export const NO_OBJECTIVE_LEFT = '(no objective left)';

/**
 * Weighs words by their rarity in the corpus.
 *
 * @param usesAll - also use messages that recur in runs of different tasks.
 */
export function vectorsByWords(usesAll: boolean): RunVectorizer {
  const vectorizer = createCorpusVectorizer();
  const counter = createMessageCounter();
  const messages: RunMessages[] = [];
  const texts = new Map<string, string>();
  return {
    async add({ trace, provenance }) {
      vectorizer.add(trace);
      if (usesAll) return;
      const own = await counter.add(trace, taskNamed(provenance));
      messages.push(own);
      const { objective, said } = taskTexts(trace);
      for (const at of own.byUsers) {
        const digest = own.digests[at] ?? '';
        const text = at === 0 ? objective : (said[at - 1]?.text ?? '');
        if (digest !== '' && !texts.has(digest)) texts.set(digest, startOf(text));
      }
    },
    vectors() {
      const recurring = recurringMessages(counter.tasks());
      const remaining = messages.map((own) => remainingMessages(own, recurring));
      const vectors = vectorizer.vectors((run) => remaining[run]);
      const objectives = new Map<number, string>();
      for (const [run, { objective }] of remaining.entries()) {
        if (objective === 0) continue;
        const digest = messages[run]?.digests[objective ?? -1] ?? '';
        objectives.set(run, texts.get(digest) ?? NO_OBJECTIVE_LEFT);
      }
      const example = texts.get(mostUsed(messages, remaining));
      const messageRule = usesAll ? undefined : RECURRING_MESSAGES_RULE;
      const none = remaining.filter(({ objective }) => objective === undefined).length;
      const counts = { messages: recurring.size, replaced: objectives.size - none, none };
      const found = example === undefined ? undefined : { ...counts, example };
      return { id: vectors.id, vectors, messageRule, objectives, recurring: found };
    },
  };
}

/**
 * Returns the task of a run, as evidence that runs have different tasks. The name of a file may be
 * that of the run (`attempt-1`, `attempt-2`), unless it names a task of a benchmark.
 */
function taskNamed(provenance: Provenance | undefined): string | undefined {
  if (provenance?.task === undefined) return provenance?.instructions;
  return provenance.task_from === 'file' ? benchmarkTask(provenance.task) : provenance.task;
}

export function vectorsByEmbedder(embedder: Embedder): RunVectorizer {
  const vectors: Float32Array[] = [];
  const unchanged = { messageRule: undefined, objectives: new Map(), recurring: undefined };
  return {
    async add({ trace }) {
      const [embedding] = await embedder.embed([embedderText(embedder, trace)]);
      if (embedding !== undefined) vectors.push(embedding.vector);
    },
    vectors: () => ({ id: embedder.id, vectors, ...unchanged }),
  };
}

/** Returns the digest of the omitted message that is the objective of the most runs. */
function mostUsed(
  messages: readonly RunMessages[],
  remaining: readonly RemainingMessages[],
): string {
  const uses = new Map<string, number>();
  let most = '';
  for (const [run, { leftOut }] of remaining.entries()) {
    const digest = leftOut.has(0) ? (messages[run]?.digests[0] ?? '') : '';
    if (digest === '') continue;
    uses.set(digest, (uses.get(digest) ?? 0) + 1);
    if ((uses.get(digest) ?? 0) > (uses.get(most) ?? 0)) most = digest;
  }
  return most;
}

/**
 * Describes the omitted messages; no line if no run had one as its objective.
 *
 * @param isQuoted - quote one of them.
 */
export function recurringNotes(
  recurring: RecurringObjectives | undefined,
  isQuoted = true,
): readonly string[] {
  if (recurring === undefined) return [];
  const { messages, replaced, none, example } = recurring;
  const quote = isQuoted ? `, such as “${excerpt(example)}”` : '';
  return [
    `${count(messages, 'message')} in runs of three or more tasks, which state no task${quote}`,
    `${count(replaced + none, 'run')} with such a message as the objective: ${grouped(replaced)} with the ` +
      `next message in its place, ${grouped(none)} with none left`,
  ];
}

const SHOWN_CHARACTERS = 1000;

/** Copies the start of a text: a slice would keep the whole text in memory. */
export function startOf(text: string): string {
  if (text.length <= SHOWN_CHARACTERS) return text;
  return `${Buffer.from(text.slice(0, SHOWN_CHARACTERS - 1)).toString()}…`;
}
