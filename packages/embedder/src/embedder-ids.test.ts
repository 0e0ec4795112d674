import { expect, it } from 'bun:test';
import { safetensorsFile } from '../test/safetensors-file.ts';
import { embeddings, tokenizer } from '../test/static-model.ts';
import {
  createLexicalEmbedder,
  createStaticEmbedder,
  createTransformersEmbedder,
} from './index.ts';

const files = { model: safetensorsFile({ embeddings }), tokenizer };
const text = { ...files, tokenizer: JSON.stringify(tokenizer) };
const path = 'https://models.example/m';
const sha256 = { 'model.safetensors': 'AB'.repeat(32), 'tokenizer.json': '0c'.repeat(32) };

// Memories store the id and reject an embedder with another id.
it.each([
  [createLexicalEmbedder(), 'lexical/5/384'],
  [createLexicalEmbedder({ dimensions: 64 }), 'lexical/5/64'],
  [createStaticEmbedder({ files }), 'static/8137c57be04ea3aa/3'],
  [
    createStaticEmbedder({ files: text, pooling: 'start', maxTokens: 9 }),
    'static/8137c57be04ea3aa/3/9/start',
  ],
  [createStaticEmbedder({ files, name: 'mine' }), 'static/mine/3'],
  [createStaticEmbedder({ path, dimensions: 3 }), 'static/https://models.example/m/3'],
  [createStaticEmbedder({ path, dimensions: 3, sha256 }), 'static/34b43f1ff138b177/3'],
  [createTransformersEmbedder(), 'transformers/Xenova/all-MiniLM-L6-v2@main/q8/mean'],
  [
    createTransformersEmbedder({
      ...{ model: 'a/b', revision: 'v1', dtype: 'fp32' },
      ...{ maxTokens: 99, longText: 'chunk', maxChunks: 3 },
    }),
    'transformers/a/b@v1/fp32/mean-99/chunk-3',
  ],
])('the id of an embedder does not change: %#', ({ id }, expected) => {
  expect(id).toBe(expected);
});
