import type { Embedder } from '@kp/embedder';
import { createCallOrder } from './call-order.ts';
import { createEmbedTrace, type EmbeddingResult } from './embed-trace.ts';
import { MemoryError } from './errors.ts';
import type { NearestTrace, NoveltyMemory } from './novelty-memory.ts';
import type { NoveltyReport } from './score-report.ts';
import type { EmbeddedText } from './trace-text.ts';
import type { OnWarning } from './warnings.ts';

/** What to do with a trace's embedding once it is there and its turn has come. */
export interface LookupSteps {
  readonly compare: boolean;
  readonly remember: boolean;
}

/** Finds out how novel texts are, and remembers them. */
export interface NoveltyLookup {
  /**
   * Embeds at once, then compares and remembers in call order.
   *
   * @throws {@link MemoryError}, as a rejection, when the memory fails; the embedder's own error
   * when it fails and nothing was to be compared, so that no report can show it.
   */
  find(text: EmbeddedText, key: string, steps: LookupSteps): Promise<NoveltyReport>;
  /** Resolves when all that was asked for so far is done. */
  idle(): Promise<void>;
}

export function createNoveltyLookup(
  embedder: Embedder,
  memory: NoveltyMemory,
  onWarning: OnWarning,
): NoveltyLookup {
  const embedTrace = createEmbedTrace(embedder, onWarning);
  const inCallOrder = createCallOrder();
  return {
    find(text, key, steps) {
      const pending = embedTrace(text);
      return inCallOrder(async () => {
        const result = await pending;
        return 'failure' in result
          ? failedReport(embedder.id, steps, result)
          : visitMemory(memory, embedder.id, key, steps, result);
      });
    },
    idle: () => inCallOrder(() => undefined),
  };
}

type Failed = Extract<EmbeddingResult, { failure: unknown }>;
type Embedded = Extract<EmbeddingResult, { embedding: unknown }>;

function failedReport(embedder: string, steps: LookupSteps, { failure }: Failed): NoveltyReport {
  if (!steps.compare) throw failure.cause;
  const { code, message } = failure;
  return { source: 'embedder_failed', truncated: false, embedder, failure: { code, message } };
}

async function visitMemory(
  memory: NoveltyMemory,
  embedder: string,
  key: string,
  steps: LookupSteps,
  { embedding }: Embedded,
): Promise<NoveltyReport> {
  const { vector, ...details } = embedding;
  const found = steps.compare ? await compare(memory, vector) : undefined;
  if (steps.remember) {
    try {
      await memory.add(vector, key);
    } catch (cause) {
      throw new MemoryError('add', cause);
    }
  }
  const { nearest, comparedWith = 0 } = found ?? {};
  if (nearest === undefined) return { source: 'empty_memory', comparedWith, ...details, embedder };
  return { source: 'nearest', nearest, comparedWith, ...details, embedder };
}

async function compare(
  memory: NoveltyMemory,
  vector: Float32Array,
): Promise<{ nearest: NearestTrace | undefined; comparedWith: number }> {
  try {
    const nearest = await memory.nearest(vector);
    const comparedWith = (await memory.size) ?? 0;
    if (nearest === undefined) return { nearest, comparedWith };
    return { nearest: { key: nearest.key, similarity: nearest.similarity }, comparedWith };
  } catch (cause) {
    throw new MemoryError('nearest', cause);
  }
}
