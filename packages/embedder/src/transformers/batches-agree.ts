import { type RunnableModel, runModel } from './run-model.ts';
import type { TransformersTokenizer } from './transformers-library.ts';

/** Largest difference of a component that counts as the same vector. */
const TOLERANCE = 1e-5;

const SHORT = 'The flight was cancelled.';
const LONG =
  'Traceback (most recent call last): the parser failed on line 42 of an empty file, so I will read it again and print what is left of 3 items.';

/**
 * Whether two texts of different length get the same vectors in one batch as alone. Models with
 * dynamic quantisation do not: they scale by the largest activation of the whole batch.
 */
export async function batchesAgree(
  model: RunnableModel & { readonly tokenizer: TransformersTokenizer },
): Promise<boolean> {
  const rows = [model.tokenizer.encode(SHORT), model.tokenizer.encode(LONG)];
  const together = await runModel(model, rows);
  for (const [i, row] of rows.entries()) {
    const [alone] = await runModel(model, [row]);
    const batched = together[i] as Float32Array;
    if (alone?.some((value, d) => Math.abs(value - (batched[d] as number)) > TOLERANCE)) {
      return false;
    }
  }
  return true;
}
