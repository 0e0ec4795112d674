import { valuesGiven } from '@kp/embedder';
import { KnowledgePulseError } from '@kp/foundation';
import type { ReasoningTrace } from '@kp/schema';
import { createWordVectorizer } from '../corpus/corpus-vectors.ts';
import { checkEntries } from '../corpus/errors.ts';
import { groupBy } from '../corpus/key-order.ts';
import { sparseSimilarity } from '../corpus/sparse-rows.ts';
import { mean } from '../statistics/rank-statistics.ts';

/** A run, its task and its agent. */
export interface AgreementRun {
  /** The run. */
  readonly trace: ReasoningTrace;
  /** The name of its task; undefined if the recording names none. */
  readonly task?: string;
  /** Who did it: the model, else the file or the experiment. */
  readonly agent: string;
}

/** How much runs agree with the other runs of their tasks. Not success, and not confidence. */
export interface Agreement {
  /**
   * One per run, about 0 on average for every agent; greater means more agreement. Undefined for a
   * run without a task, and for tasks with fewer than three runs or with runs of one agent only.
   */
  readonly values: readonly (number | undefined)[];
  /** How many runs have a value. */
  readonly runs: number;
  /** How many tasks these runs are from. */
  readonly tasks: number;
  /** How many agents these runs are from. */
  readonly agents: number;
}

/** No task has enough runs of enough agents to compare. */
export class AgreementError extends KnowledgePulseError<'AGREEMENT_UNAVAILABLE', string> {
  constructor(received: string) {
    super({
      name: 'AgreementError',
      code: 'AGREEMENT_UNAVAILABLE',
      subject: 'agreement',
      expected: `a named task with at least ${LEAST_RUNS} runs by at least ${LEAST_AGENTS} agents`,
      received,
      remedy: 'add runs of other agents on the same tasks, or say which field names the agent',
    });
  }
}

const LEAST_RUNS = 3;
const LEAST_AGENTS = 2;

/** Takes in runs one by one, and keeps only their ends. */
export interface AgreementReader {
  /**
   * Takes in one more run.
   *
   * @param run - a run with its task and agent.
   */
  add(run: AgreementRun): void;
  /**
   * @param tasks - the task of each run in the order in which they were added, in place of those that
   * were given with the runs: of some corpora they are known only when everything was read.
   * @throws {@link CurationInputError} if there is not one entry per run.
   * @throws {@link AgreementError} if no task has three runs by two agents.
   */
  agreement(tasks?: readonly (string | undefined)[]): Agreement;
}

/**
 * How much the end of each run agrees with the other runs of its task: the mean cosine similarity of
 * what the agents said last and gave to their last tool, less the mean of the agent. Words are
 * weighted as in `corpusVectors`, over the runs that are compared.
 *
 * Where most agents succeed, agreement goes with success; where most fail, it favours what most get
 * wrong. docs/curation.md has what was measured.
 *
 * @param runs - the whole corpus; its order does not matter.
 * @throws {@link AgreementError} if no task has three runs by two agents.
 */
export function agreement(runs: Iterable<AgreementRun>): Agreement {
  const reader = createAgreementReader();
  for (const run of runs) reader.add(run);
  return reader.agreement();
}

/** {@link agreement} for runs that come one by one and need not be kept. */
export function createAgreementReader(): AgreementReader {
  const ends: RunEnd[] = [];
  return {
    add({ trace, task, agent }) {
      ends.push({ task, agent, text: endOf(trace) });
    },
    agreement(tasks) {
      if (tasks === undefined) return compareEnds(ends);
      checkEntries('tasks', tasks, ends.length);
      return compareEnds(ends.map((end, run) => ({ ...end, task: tasks[run] })));
    },
  };
}

interface RunEnd {
  readonly task: string | undefined;
  readonly agent: string;
  readonly text: string;
}

function compareEnds(ends: readonly RunEnd[]): Agreement {
  const tasks = comparableTasks(ends);
  const compared = tasks.flat();
  const vectorizer = createWordVectorizer();
  for (const run of compared) vectorizer.add([ends[run].text]);
  const { rows } = vectorizer.vectors();
  const places = new Map(compared.map((run, at) => [run, at]));
  const similarity = (a: number, b: number): number =>
    sparseSimilarity(rows[places.get(a) ?? 0], rows[places.get(b) ?? 0]);
  const values = new Array<number | undefined>(ends.length).fill(undefined);
  for (const members of tasks) {
    for (const run of members) {
      const others = members.filter((other) => other !== run);
      // Sorted, so that the sum does not depend on the order of the runs.
      const similarities = others.map((other) => similarity(run, other));
      values[run] = mean(similarities.sort((a, b) => a - b));
    }
  }
  const agents = groupBy(compared, (run) => ends[run].agent);
  for (const members of agents.values()) {
    const own = members.map((run) => values[run] ?? 0);
    const middle = mean(own.sort((a, b) => a - b));
    for (const run of members) values[run] = (values[run] ?? 0) - middle;
  }
  return { values, runs: compared.length, tasks: tasks.length, agents: agents.size };
}

/** The runs of each task that has enough of them, by enough agents. */
function comparableTasks(ends: readonly RunEnd[]): number[][] {
  const named = [...ends.keys()].filter((run) => ends[run].task !== undefined);
  const tasks = [...groupBy(named, (run) => ends[run].task ?? '').values()];
  const agentsOf = (members: readonly number[]): number =>
    new Set(members.map((run) => ends[run].agent)).size;
  const comparable = tasks.filter(
    (members) => members.length >= LEAST_RUNS && agentsOf(members) >= LEAST_AGENTS,
  );
  if (comparable.length > 0) return comparable;
  const most = (of: (members: readonly number[]) => number): number =>
    tasks.reduce((greatest, members) => Math.max(greatest, of(members)), 0);
  throw new AgreementError(
    tasks.length === 0
      ? `${ends.length} runs without the names of their tasks`
      : `${tasks.length} tasks with at most ${most(({ length }) => length)} runs and ${most(agentsOf)} agents each`,
  );
}

/** What the agent said last, and the values that it gave to its last tool. */
function endOf({ steps, outcome }: ReasoningTrace): string {
  const said = steps.findLast(({ tool, type, content }) => {
    return tool === undefined && type !== 'observation' && content !== undefined;
  });
  const call = steps.findLast(({ type }) => type === 'tool_call');
  const given = call === undefined ? [] : valuesGiven(call);
  return [said?.content ?? outcome.result_summary, ...given].join('\n');
}
