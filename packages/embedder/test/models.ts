import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

const shared =
  process.env.KP_SHARED_DIR ?? resolve(import.meta.dirname, '..', '..', '..', '..', 'shared');

/** Folder of real models; tests that need it are skipped where it is not there. */
export const modelsFolder: string = join(shared, 'models');

export const hasModels: boolean = existsSync(join(modelsFolder, 'MinishLab'));

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
