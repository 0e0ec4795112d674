import type { Embedder, Embedding } from '@kp/embedder';
import { EmbeddingError } from './errors.ts';
import type { EmbeddedText } from './trace-text.ts';
import type { OnWarning } from './warnings.ts';

export type EmbeddingResult =
  | { readonly embedding: Embedding }
  | {
      readonly failure: {
        readonly code: string;
        readonly message: string;
        readonly cause: unknown;
      };
    };

/** Embeds the text of one trace. Never rejects: a failure is a result, because scoring goes on without it. */
export type EmbedTrace = (trace: EmbeddedText) => Promise<EmbeddingResult>;

/**
 * @param onWarning - told of a failure once; again only after an embedding has succeeded in
 * between.
 */
export function createEmbedTrace(embedder: Embedder, onWarning: OnWarning): EmbedTrace {
  let failing = false;
  return async ({ text, boundaries }) => {
    try {
      const embedding = checkEmbedding(
        embedder,
        await embedder.embed([text], { boundaries: [boundaries] }),
      );
      failing = false;
      return { embedding };
    } catch (cause) {
      const failure = describeFailure(cause);
      if (!failing) {
        failing = true;
        const message = `${failure.message} (novelty is 0.5 until an embedding succeeds)`;
        // In a task of its own, so that a handler that throws does not break the scoring.
        queueMicrotask(() => onWarning({ code: 'EMBEDDER_FAILED', message, cause }));
      }
      return { failure };
    }
  };
}

function checkEmbedding(embedder: Embedder, embeddings: readonly Embedding[]): Embedding {
  const embedding = Array.isArray(embeddings) ? embeddings[0] : undefined;
  if (embeddings?.length !== 1 || !(embedding?.vector instanceof Float32Array)) {
    const received = Array.isArray(embeddings) ? `${embeddings.length} entries` : typeof embeddings;
    throw new EmbeddingError(embedder.id, '1 embedding with a Float32Array as vector', received);
  }
  const { vector } = embedding;
  if (vector.length !== embedder.dimensions) {
    throw new EmbeddingError(embedder.id, `${embedder.dimensions} dimensions`, `${vector.length}`);
  }
  for (let index = 0; index < vector.length; index++) {
    if (!Number.isFinite(vector[index])) {
      throw new EmbeddingError(embedder.id, 'finite values', `${vector[index]} at ${index}`);
    }
  }
  return embedding;
}

function describeFailure(cause: unknown): { code: string; message: string; cause: unknown } {
  const message = cause instanceof Error ? cause.message : String(cause);
  const code: unknown = typeof cause === 'object' && cause !== null && Reflect.get(cause, 'code');
  return { code: typeof code === 'string' ? code : 'EMBEDDER_FAILED', message, cause };
}
