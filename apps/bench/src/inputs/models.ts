import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of an embedding model. */
export interface ModelFolder {
  readonly kind: 'folder';
  readonly path: string;
}

export interface MissingModel {
  readonly kind: 'missing';
  readonly reason: string;
}

/** Folder of models and recordings next to the repository; it may be missing. */
export const SHARED_FOLDER: string =
  process.env.KP_SHARED_DIR ?? fileURLToPath(new URL('../../../../../shared', import.meta.url));
const roots = [
  process.env.KP_MODELS_DIR,
  join(SHARED_FOLDER, 'models'),
  join(SHARED_FOLDER, 'models', 'bench-only'),
].filter((root) => root !== undefined);

/** Finds the model of the transformers embedder; `path` is its `localModelPath`. */
export function findTransformersModel():
  | ModelFolder
  | { readonly kind: 'download' }
  | MissingModel {
  const path = roots.find((root) => existsSync(join(root, 'Xenova/all-MiniLM-L6-v2/config.json')));
  if (path !== undefined) return { kind: 'folder', path };
  if (process.env.KP_DOWNLOAD_MODELS === '1') return { kind: 'download' };
  return {
    kind: 'missing',
    reason:
      'no Xenova/all-MiniLM-L6-v2: set KP_MODELS_DIR to the folder that contains it, or KP_DOWNLOAD_MODELS=1',
  };
}

/** Finds a model2vec model; `path` is the static embedder's `path`. */
export function findStaticModel(): ModelFolder | MissingModel {
  const name = 'MinishLab/potion-base-4m-int8-model2vec';
  const path = roots
    .map((root) => join(root, name))
    .find((folder) => existsSync(join(folder, 'model.safetensors')));
  if (path !== undefined) return { kind: 'folder', path };
  return {
    kind: 'missing',
    reason: `no ${name}: set KP_MODELS_DIR to the folder that contains it`,
  };
}
