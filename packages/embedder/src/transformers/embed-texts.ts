import type { Embedding, EmbedOptions } from '../embedder.ts';
import { normalize } from '../normalize.ts';
import { batches, type PlannedRow } from './batches.ts';
import { chunkText } from './chunk.ts';
import type { LoadedModel } from './load-model.ts';
import { runModel } from './run-model.ts';
import { type TokenizedText, tokenizeWindow } from './tokenize.ts';

/** How long texts and many texts are treated. */
export interface EmbedPlan {
  readonly longText: 'truncate' | 'chunk';
  readonly maxChunks: number;
  readonly batchSize: number;
}

const NOTHING: TokenizedText = { rows: [], truncated: false };

/** Embeds texts with a loaded model: tokens, runs in batches where the model allows, one vector a text. */
export async function embedTexts(
  loaded: LoadedModel,
  texts: readonly string[],
  plan: EmbedPlan,
  { signal, boundaries }: EmbedOptions,
): Promise<Embedding[]> {
  const tokenized = texts.map((text, i) => {
    if (text.trim() === '') return NOTHING;
    if (plan.longText === 'truncate') {
      return tokenizeWindow(loaded.tokenizer, text, loaded.window);
    }
    return chunkText(loaded.tokenizer, text, {
      window: loaded.window,
      maxChunks: plan.maxChunks,
      boundaries: boundaries?.[i] ?? [],
    });
  });
  const rows = tokenized.flatMap(({ rows }, text) => rows.map((ids) => ({ ids, text })));
  const sums = texts.map(() => new Float32Array(loaded.dimensions));
  const isBatched = rows.length > 1 && plan.batchSize > 1 && (await loaded.batchesAgree());
  for (const batch of batches(rows, isBatched ? plan.batchSize : 1)) {
    signal?.throwIfAborted();
    const vectors = await runModel(
      loaded,
      batch.map(({ ids }) => ids),
    );
    batch.forEach((row, i) => {
      addWeighted(sums, row, vectors[i] as Float32Array);
    });
  }
  return sums.map((vector, i) => {
    const { rows, truncated } = tokenized[i] as TokenizedText;
    normalize(vector);
    const tokens = rows.reduce((sum, row) => sum + row.length, 0);
    return { vector, truncated, tokens, chunks: rows.length };
  });
}

function addWeighted(sums: Float32Array[], { ids, text }: PlannedRow, vector: Float32Array): void {
  const sum = sums[text] as Float32Array;
  for (let d = 0; d < sum.length; d++) {
    sum[d] = (sum[d] as number) + ids.length * (vector[d] as number);
  }
}
