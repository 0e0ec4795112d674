import { createHash } from 'node:crypto';
import {
  buildCellTree,
  createWordVisitor,
  identifyTasks,
  medianOfRows,
  mergeSorted,
  RECURRING_MESSAGES_RULE,
  recurringMessages,
  remainingMessages,
  type SortedBlocks,
  type SparseVectors,
  taskTextViews,
  textSizes,
} from '@kp/curation';
import { seededIntegers } from '@kp/foundation';
import { wrongUse } from '../output/errors.ts';
import type { GroupField } from '../runs/task-groups.ts';
import { readTable } from './columns.ts';
import type { MapFacts } from './map-stage.ts';
import { unpackMessages, unpackWords } from './packed-runs.ts';
import { createRowWeigher } from './row-weigher.ts';
import { type RunClues, replacedObjective } from './run-clues.ts';
import type { Store } from './store.ts';
import { readLines } from './stored-lines.ts';
import { MESSAGE_COLUMNS, RUN_COLUMNS, WORD_COLUMNS } from './tables.ts';
import {
  contentOf,
  type DoneTask,
  openOutput,
  PLAN_TASK,
  readDone,
  runTask,
  type TaskOutputs,
  taskName,
} from './tasks.ts';

/** The settings of the selection, with every default filled in. */
export interface PlanChoices {
  readonly top: number;
  /** False for `--no-outcomes`. */
  readonly outcomes: boolean;
  readonly weighBy: 'none' | 'score' | 'grade';
  readonly groupBy: GroupField;
  readonly perGroup: number | null;
  readonly minGain: number | null;
  /** Similarity above which runs are duplicates; 1 if only copies are. */
  readonly threshold: number;
  /** Number of cells; null to derive it from the number of runs. */
  readonly cells: number | null;
  readonly seed: number;
}

/** The record of a plan. */
export interface PlanFacts {
  readonly corpus: string;
  readonly shards: number;
  readonly runs: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly choices: PlanChoices;
  /** Whether only runs that succeeded are eligible. */
  readonly byOutcome: boolean;
  /** Number of runs of each cell. */
  readonly cells: readonly number[];
  /** Similarity that counts as zero; null if a single cell determines it. */
  readonly baseline: number | null;
  readonly words: number;
  readonly tasks: number;
  /** Version of the rule that leaves messages out, and the number of different ones. */
  readonly messageRule: string;
  readonly leftOut: number;
  /** The options of `choices` as command-line arguments. */
  readonly arguments: readonly string[];
}

/** Maximum number of runs that are compared at once. */
export const MOST_CELL_RUNS = 100_000;
/** Number of runs per cell; the time of a cell grows with the square of its size. */
const CELL_RUNS = 10_000;
const LEAST_SAMPLE = 2_000;
const MOST_SAMPLE = 20_000;
const SAMPLED_PER_CELL = 64;

/** Merges the results of the shards, divides the runs into cells and fixes the settings. */
export async function makePlan(
  store: Store,
  choices: PlanChoices,
  words: readonly string[],
): Promise<{ readonly done: DoneTask<PlanFacts>; readonly isNew: boolean }> {
  const shards = await readShards(store);
  return runTask<PlanFacts>(store, {
    name: PLAN_TASK,
    inputs: [shards.map(contentOf), choices],
    work: (outputs) => plan(store, shards, choices, words, outputs),
  });
}

type Shard = DoneTask<MapFacts>;

/**
 * Reads the records of all shards.
 *
 * @throws UsageError if a shard is missing, or one belongs to another corpus.
 */
export async function readShards(store: Store): Promise<readonly Shard[]> {
  const names = (await store.list()).filter((name) => /^map-\d+-of-\d+\.done$/.test(name)).sort();
  const [first] = names;
  if (first === undefined) {
    throw wrongUse(store.location, 'the shards of kp corpus map', 'none');
  }
  const amounts = [...new Set(names.map((name) => Number(name.split(/\D+/)[2])))];
  const of = amounts[0] as number;
  if (amounts.length > 1) {
    const received = `shards of ${amounts.join(' and of ')}`;
    throw wrongUse(store.location, 'one division of the runs', received, 'use another folder');
  }
  const missing = Array.from({ length: of }, (_, index) => index).filter(
    (index) => !names.includes(`${taskName('map', index, of)}.done`),
  );
  if (missing.length > 0) {
    const remedy = `run kp corpus map --shard ${missing[0]} --of ${of}`;
    throw wrongUse(store.location, `${of} shards`, `none of number ${missing.join(', ')}`, remedy);
  }
  const shards: Shard[] = [];
  for (let index = 0; index < of; index++) {
    const shard = await readDone<MapFacts>(store, taskName('map', index, of));
    if (shard.facts.corpus !== (shards[0] ?? shard).facts.corpus) {
      throw wrongUse(
        `${store.location}/${shard.task}.done`,
        'a shard of the same recordings and options as the others',
        'a shard of other inputs',
        'use one folder for each corpus',
      );
    }
    shards.push(shard);
  }
  return shards;
}

async function plan(
  store: Store,
  shards: readonly Shard[],
  choices: PlanChoices,
  words: readonly string[],
  outputs: TaskOutputs,
): Promise<PlanFacts> {
  const sum = (of: (facts: MapFacts) => number): number =>
    shards.reduce((total, { facts }) => total + of(facts), 0);
  const runs = sum((facts) => facts.runs);
  const succeeded = sum((facts) => facts.succeeded);
  const failed = sum((facts) => facts.failed);
  if (choices.weighBy === 'grade' && runs > 0 && sum((facts) => facts.graded) === 0) {
    throw wrongUse('--weigh-by grade', 'runs with a grade', 'none');
  }
  const recurring = await findRecurring(store, shards, outputs);
  const vocabulary = await mergeWords(store, shards, recurring, outputs);
  const tasks = await groupShards(store, shards, choices.groupBy, recurring, outputs);
  const wanted = cellCount(runs, shards.length, choices.cells);
  const cells = await divide(store, shards, vocabulary, wanted, choices.seed, outputs);
  const { corpus } = (shards[0] as Shard).facts;
  const facts: PlanFacts = {
    ...{ corpus, shards: shards.length, runs, succeeded, failed, choices },
    byOutcome: choices.outcomes && succeeded + failed > 0,
    ...{ cells: cells.sizes, baseline: cells.baseline },
    ...{ words: vocabulary.frequencies.length, tasks, arguments: words },
    ...{ messageRule: RECURRING_MESSAGES_RULE, leftOut: recurring.size },
  };
  const text = await outputs.begin('choices', 'json');
  await text.write(`${JSON.stringify(facts, null, 1)}\n`);
  return facts;
}

/**
 * Use one cell if it fits, so that by default the division does not depend on the number of shards
 * above one.
 */
function cellCount(runs: number, shards: number, given: number | null): number {
  if (given !== null) return Math.max(1, Math.min(given, runs));
  if (shards === 1 && runs <= MOST_CELL_RUNS) return 1;
  return Math.max(1, Math.ceil(runs / CELL_RUNS));
}

/** Finds the messages that recur in runs of different tasks, and writes their digests. */
async function findRecurring(
  store: Store,
  shards: readonly Shard[],
  outputs: TaskOutputs,
): Promise<ReadonlySet<string>> {
  const recurring = new Set<string>();
  const lists = shards.map((shard) => sortedMessages(store, shard));
  await mergeSorted(lists, (items) => {
    const { name } = items[0] as (typeof items)[number];
    const tasks = [...new Set(items.flatMap((item) => item.tasks.split(' ')))];
    if (recurringMessages({ [name]: tasks }).has(name)) recurring.add(name);
  });
  const output = await outputs.begin('recurring', 'json');
  await output.write(JSON.stringify([...recurring]));
  return recurring;
}

async function* sortedMessages(
  store: Store,
  shard: Shard,
): SortedBlocks<{ name: string; tasks: string }> {
  const object = await openOutput(store, shard, 'messages');
  try {
    for await (const { length, columns } of readTable(object, MESSAGE_COLUMNS, [
      'digest',
      'tasks',
    ])) {
      yield Array.from({ length }, (_, at) => ({
        name: columns.digest[at] as string,
        tasks: columns.tasks[at] as string,
      }));
    }
  } finally {
    await object.close();
  }
}

interface Vocabulary {
  readonly recurring: ReadonlySet<string>;
  readonly frequencies: Uint32Array;
  /** For each shard, the component of each word. */
  readonly components: readonly Uint32Array[];
}

/** Numbers the words of all shards in ascending order, and counts the runs that contain each. */
async function mergeWords(
  store: Store,
  shards: readonly Shard[],
  recurring: ReadonlySet<string>,
  outputs: TaskOutputs,
): Promise<Vocabulary> {
  const components = shards.map(({ facts }) => new Uint32Array(facts.vocabulary));
  const ids = shards.map(({ facts }) => new Uint32Array(facts.vocabulary));
  const merged = shards.map(() => 0);
  const lists = shards.map((shard, index) => sortedWords(store, shard, ids[index] as Uint32Array));
  let counted = new Uint32Array(1024);
  let size = 0;
  await mergeSorted(lists, (items, holders) => {
    if (size === counted.length) {
      const larger = new Uint32Array(2 * size);
      larger.set(counted);
      counted = larger;
    }
    for (const { frequency } of items) counted[size] = (counted[size] as number) + frequency;
    for (const index of holders) {
      const at = merged[index] as number;
      merged[index] = at + 1;
      (components[index] as Uint32Array)[(ids[index] as Uint32Array)[at] as number] = size;
    }
    size++;
  });
  const vocabulary = { recurring, frequencies: counted.slice(0, size), components };
  if (recurring.size > 0) await uncountLeftOut(store, shards, vocabulary);
  await writeNumbers(outputs, 'frequencies', vocabulary.frequencies);
  for (const [index, own] of components.entries()) {
    await writeNumbers(outputs, `components-${index}`, own);
  }
  return vocabulary;
}

/** Subtracts the counts of words that occur only in omitted messages of their run. */
async function uncountLeftOut(
  store: Store,
  shards: readonly Shard[],
  { recurring, frequencies, components }: Vocabulary,
): Promise<void> {
  const visitWords = createWordVisitor();
  for (const [index, shard] of shards.entries()) {
    const own = components[index] as Uint32Array;
    const object = await openOutput(store, shard, 'runs', false);
    try {
      for await (const block of readTable(object, RUN_COLUMNS, ['words', 'messages'])) {
        for (let at = 0; at < block.length; at++) {
          const messages = unpackMessages(block.columns.messages[at] as Uint8Array);
          const remaining = remainingMessages(messages, recurring);
          if (remaining.leftOut.size === 0) continue;
          const document = unpackWords(block.columns.words[at] as Uint8Array, own);
          const sizes = textSizes(document);
          const count = (by: number) => (word: number) => {
            frequencies[word] = (frequencies[word] as number) + by;
          };
          visitWords(document, taskTextViews(sizes), count(-1));
          visitWords(document, taskTextViews(sizes, remaining), count(1));
        }
      }
    } finally {
      await object.close();
    }
  }
}

/** @param ids - receives the number of each word in the shard, in ascending order of the words. */
async function* sortedWords(
  store: Store,
  shard: Shard,
  ids: Uint32Array,
): SortedBlocks<{ name: string; frequency: number }> {
  const object = await openOutput(store, shard, 'words');
  try {
    const names = ['word', 'id', 'frequency'] as const;
    for await (const { start, length, columns } of readTable(object, WORD_COLUMNS, names)) {
      const block: { name: string; frequency: number }[] = [];
      for (let at = 0; at < length; at++) {
        ids[start + at] = columns.id[at] as number;
        block.push({
          name: columns.word[at] as string,
          frequency: columns.frequency[at] as number,
        });
      }
      yield block;
    }
  } finally {
    await object.close();
  }
}

/** Reads numbers from a task output: uint32, little-endian like all systems that run kp. */
async function writeNumbers(
  outputs: TaskOutputs,
  role: string,
  values: Uint32Array,
): Promise<void> {
  const output = await outputs.begin(role, 'u32');
  await output.write(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
}

/** Writes the group of each line of clues, as 16 hexadecimal digits; returns the number of groups. */
async function groupShards(
  store: Store,
  shards: readonly Shard[],
  by: GroupField,
  recurring: ReadonlySet<string>,
  outputs: TaskOutputs,
): Promise<number> {
  const named: RunClues[] = [];
  if (by === 'task') {
    for (const shard of shards) {
      for await (const clues of readClues(store, shard, recurring))
        if (clues.name !== null) named.push(clues);
    }
  }
  const { keys } = identifyTasks(named);
  const all = new Set<string>();
  let next = 0;
  for (const [index, shard] of shards.entries()) {
    const output = await outputs.begin(`groups-${index}`, 'txt');
    for await (const clues of readClues(store, shard, recurring)) {
      const isNamed = by === 'task' && clues.name !== null;
      const group = shortDigest(isNamed ? (keys[next++] as string) : groupOf(clues, by));
      all.add(group);
      await output.write(group);
    }
  }
  return all.size;
}

/** Groups runs without a task name, or by another field, like `groupRuns`. */
function groupOf({ name, objective, file, values }: RunClues, by: GroupField): string {
  switch (by) {
    case 'task':
    case 'objective':
      return `objective ${objective}`;
    case 'name':
      return name ?? `objective ${objective}`;
    case 'file':
      return file;
    default:
      return values[by] ?? '';
  }
}

const GROUP_DIGITS = 16;

function shortDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, GROUP_DIGITS);
}

async function* readClues(
  store: Store,
  shard: Shard,
  recurring: ReadonlySet<string>,
): AsyncGenerator<RunClues> {
  const object = await openOutput(store, shard, 'clues');
  try {
    for await (const line of readLines(object)) {
      const clues = JSON.parse(line) as RunClues;
      const objective = replacedObjective(clues.users, recurring) ?? clues.objective;
      yield { ...clues, objective };
    }
  } finally {
    await object.close();
  }
}

type SparseRow = SparseVectors['rows'][number];

/** Divides the runs into cells and writes the cell of each run. */
async function divide(
  store: Store,
  shards: readonly Shard[],
  vocabulary: Vocabulary,
  wanted: number,
  seed: number,
  outputs: TaskOutputs,
): Promise<{ readonly sizes: readonly number[]; readonly baseline: number | null }> {
  const runs = shards.reduce((sum, { facts }) => sum + facts.runs, 0);
  if (wanted === 1) {
    for (const [index, { facts }] of shards.entries()) {
      await writeNumbers(outputs, `cells-${index}`, new Uint32Array(facts.runs));
    }
    return { sizes: [runs], baseline: null };
  }
  const { components, frequencies, recurring } = vocabulary;
  const vectorOf = createRowWeigher({ frequencies, recurring, runs });
  async function* rows(
    index: number,
  ): AsyncGenerator<{ place: number; key: number; row: () => SparseRow }> {
    const own = components[index] as Uint32Array;
    const object = await openOutput(store, shards[index] as Shard, 'runs', false);
    try {
      for await (const block of readTable(object, RUN_COLUMNS, ['key', 'words', 'messages'])) {
        for (let at = 0; at < block.length; at++) {
          const words = block.columns.words[at] as Uint8Array;
          const messages = block.columns.messages[at] as Uint8Array;
          const row = () => vectorOf({ words, messages }, own);
          yield {
            place: block.start + at,
            key: keyNumber(block.columns.key[at] as Uint8Array),
            row,
          };
        }
      }
    } finally {
      await object.close();
    }
  }
  const size = Math.min(MOST_SAMPLE, Math.max(LEAST_SAMPLE, wanted * SAMPLED_PER_CELL));
  const chosen = await sampleKeys(shards, rows, runs, Math.max(size, wanted), seed);
  const found = new Map<number, SparseRow>();
  for (const index of shards.keys()) {
    for await (const { key, row } of rows(index)) {
      if (chosen.has(key) && !found.has(key)) found.set(key, row());
    }
  }
  const sample = [...chosen].flatMap(([key, amount]) =>
    Array.from({ length: amount }, () => found.get(key) as SparseRow),
  );
  const tree = buildCellTree(sample, wanted, seed);
  const baseline = medianOfRows(sample.slice(0, LEAST_SAMPLE));
  const sizes = new Array<number>(wanted).fill(0);
  for (const [index, { facts }] of shards.entries()) {
    const cells = new Uint32Array(facts.runs);
    for await (const { place, row } of rows(index)) {
      const cell = tree.cellOf(row());
      cells[place] = cell;
      sizes[cell] = (sizes[cell] as number) + 1;
    }
    await writeNumbers(outputs, `cells-${index}`, cells);
  }
  return { sizes, baseline };
}

/** Returns the first 52 bits of a content key. */
function keyNumber(key: Uint8Array): number {
  const view = new DataView(key.buffer, key.byteOffset, key.byteLength);
  return view.getUint32(0) * 2 ** 20 + (view.getUint32(4) >>> 12);
}

/**
 * Chooses runs at random positions in the order of their keys, so that the sample depends neither on the
 * shards nor on the order of the input.
 *
 * @returns the number of times that each key was chosen.
 */
async function sampleKeys(
  shards: readonly Shard[],
  rows: (index: number) => AsyncGenerator<{ key: number }>,
  runs: number,
  size: number,
  seed: number,
): Promise<ReadonlyMap<number, number>> {
  const keys = new Float64Array(runs);
  let count = 0;
  for (const index of shards.keys()) {
    for await (const { key } of rows(index)) keys[count++] = key;
  }
  keys.sort();
  const positions = new Set<number>();
  const next = seededIntegers(seed);
  while (positions.size < Math.min(size, runs)) positions.add(next(runs));
  const chosen = new Map<number, number>();
  for (const position of positions) {
    const key = keys[position] as number;
    chosen.set(key, (chosen.get(key) ?? 0) + 1);
  }
  return chosen;
}
