import { createLexicalEmbedder, createScorer } from '@knowledgepulse/sdk';
import { openMemory } from '@kp/memory';
import { median, quantile } from 'simple-statistics';
import { createRandom } from '../inputs/random.ts';
import { financeTrace } from '../inputs/traces.ts';

/** What a process takes after a number of evaluations. */
export interface SoakSample {
  readonly evaluations: number;
  /** Bytes, after a garbage collection. */
  readonly resident: number;
  readonly heap: number;
  /** Bytes of the store; 0 where it does not say. */
  readonly store: number;
  /** Milliseconds an evaluation, since the sample before. */
  readonly median: number;
  readonly p99: number;
  /** Milliseconds of the processor that an evaluation takes, in all threads. */
  readonly processor: number;
  /** The same, in times what a fixed piece of work takes at that time. */
  readonly inReferences: number;
  /** How many scores so far were not compared with what is remembered. */
  readonly uncompared: number;
}

/** The entries remembered: full soon, so that most of a soak is at the bound. */
export const SOAK_ENTRIES = 5000;

// A busy machine is no reason to leave a comparison out.
const PATIENCE_MS = 120_000;
const VOCABULARY = 400;
const WORDS = 12;
const REFERENCE_EVERY = 20;

/** Scores traces over a memory that others use too; prints samples, one a line. */
async function soak(
  location: string,
  namespace: string,
  name: string,
  evaluations: number,
  samples: number,
): Promise<void> {
  const embedder = createLexicalEmbedder();
  const memory = await openMemory(location, {
    embedder,
    namespace,
    maxElements: SOAK_ENTRIES,
    timeoutMs: PATIENCE_MS,
  });
  const scorer = createScorer({
    embedder,
    memory,
    budgetMs: Number.POSITIVE_INFINITY,
    operationTimeoutMs: PATIENCE_MS,
  });
  const random = createRandom(name.charCodeAt(0));
  const every = Math.floor(evaluations / samples);
  const times = new Float64Array(every);
  let references: number[] = [];
  let uncompared = 0;
  let usedBefore = usedMs();
  for (let i = 1; i <= every * samples; i++) {
    const startedAt = performance.now();
    const { novelty } = await scorer.evaluate(traceOf(`${name}/${i}`, random));
    times[(i - 1) % every] = performance.now() - startedAt;
    if (novelty.source !== 'nearest' && novelty.source !== 'empty_memory') uncompared++;
    if (i % REFERENCE_EVERY === 0) references.push(referenceMs());
    if (i % every !== 0) continue;
    const processor = (usedMs() - usedBefore) / every;
    Bun.gc(true);
    const { rss, heapUsed } = process.memoryUsage();
    const { bytes = 0 } = (await memory.stats()) as { bytes?: number };
    const sample: SoakSample = {
      evaluations: i,
      resident: rss,
      heap: heapUsed,
      store: Number(bytes),
      median: median([...times]),
      p99: quantile([...times], 0.99),
      processor,
      inReferences: processor / median(references),
      uncompared,
    };
    console.log(JSON.stringify(sample));
    references = [];
    usedBefore = usedMs();
  }
  await scorer.close();
  await memory.close();
}

function traceOf(id: string, random: () => number): typeof financeTrace {
  let objective = '';
  for (let i = 0; i < WORDS; i++) objective += `word${Math.floor(random() * VOCABULARY)} `;
  return { ...financeTrace, id: `kp:trace:${id}`, task: { objective } };
}

/** Milliseconds of the processor that this process has used. */
function usedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const work = Float64Array.from({ length: 4096 }, (_, i) => i);

/** Milliseconds of work that has nothing to do with scoring. */
function referenceMs(): number {
  const startedAt = performance.now();
  let sum = 0;
  for (let round = 0; round < 10; round++) {
    for (let i = 0; i < work.length; i++) sum += Math.sqrt((work[i] as number) + round);
  }
  work[0] = sum % 2;
  return performance.now() - startedAt;
}

if (import.meta.main) {
  const [location = '', namespace = '', name = '', evaluations = '0', samples = '1'] =
    process.argv.slice(2);
  await soak(location, namespace, name, Number(evaluations), Number(samples));
}
