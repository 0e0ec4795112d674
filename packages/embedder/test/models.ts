import { join } from 'node:path';
import { sharedFolder } from '@kp/testing/needs';

/** Folder of real models; tests that need it are skipped where it is not there. */
export const modelsFolder: string = join(sharedFolder, 'models');

/** A small real model, of 128 dimensions. */
export const SMALL_MODEL = {
  model: 'MinishLab/potion-base-4M-int8',
  localModelPath: modelsFolder,
  dimensions: 128,
} as const;

/** The graph and tokenizer of the default model, with weights that mean nothing. */
export const MINILM_GRAPH = { localModelPath: join(modelsFolder, 'bench-only') } as const;

export function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] as number), 0);
}
