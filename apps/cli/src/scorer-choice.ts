import {
  createLexicalEmbedder,
  createScorer,
  createTransformersEmbedder,
  type Embedder,
  type Scorer,
} from '@knowledgepulse/sdk';
import { UsageError } from './usage-error.ts';

export const EMBEDDER_CHOICES = ['lexical', 'transformers', 'none'] as const;

export type EmbedderChoice = (typeof EMBEDDER_CHOICES)[number];

/**
 * A scorer with the chosen embedder, its model loaded.
 *
 * @throws {@link UsageError} when the embedder cannot be had, with what to do about it.
 */
export async function createChosenScorer(choice: EmbedderChoice): Promise<Scorer> {
  // Without a budget the same files give the same scores every time.
  const scorer = createScorer({
    embedder: chosenEmbedder(choice),
    budgetMs: Number.POSITIVE_INFINITY,
  });
  try {
    await scorer.ready();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(
      `--embedder ${choice}: ${reason}; or use --embedder lexical, which needs no model`,
    );
  }
  return scorer;
}

function chosenEmbedder(choice: EmbedderChoice): Embedder | null {
  switch (choice) {
    case 'lexical':
      return createLexicalEmbedder();
    case 'transformers':
      return createTransformersEmbedder();
    case 'none':
      return null;
  }
}
