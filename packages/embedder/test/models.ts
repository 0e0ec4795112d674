import { expect } from 'bun:test';
import { join } from 'node:path';
import { sharedFolder } from '@kp/testing/needs';
import type { Embedder } from '../src/embedding/embedder.ts';

/** Folder of real models; tests that need it are skipped if it is missing. */
export const modelsFolder: string = join(sharedFolder, 'models');

/** A small real model, of 128 dimensions. */
export const SMALL_MODEL = {
  model: 'MinishLab/potion-base-4M-int8',
  localModelPath: modelsFolder,
  dimensions: 128,
} as const;

/** The graph and tokenizer of the default model, with random weights. */
export const MINILM_GRAPH = { localModelPath: join(modelsFolder, 'bench-only') } as const;

export function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i], 0);
}

/** Compares an embedder with the results that the authors of the small model published. */
export async function expectPublishedCosines(embedder: Embedder): Promise<void> {
  const [eating, bread, horse, reset, forgot] = await embedder.embed([
    'A man is eating food.',
    'A man is eating a piece of bread.',
    'A man is riding a horse.',
    'How do I reset my password?',
    'I forgot my login credentials',
  ]);
  if (!eating || !bread || !horse || !reset || !forgot) throw new Error('five texts went in');
  expect(embedder.dimensions).toBe(128);
  expect(eating.vector).toHaveLength(128);
  expect(cosine(eating.vector, bread.vector)).toBeCloseTo(0.787, 3);
  expect(cosine(eating.vector, horse.vector)).toBeCloseTo(0.342, 3);
  expect(cosine(reset.vector, forgot.vector)).toBeCloseTo(0.493, 3);
}
