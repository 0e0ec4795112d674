import { wordTokenizer } from './safetensors-file.ts';

/** A model of three words with orthogonal vectors of the lengths 3, 4 and 5. */
export const embeddings = {
  dtype: 'F32',
  shape: [4, 3],
  data: Float32Array.of(9, 9, 9, 3, 0, 0, 0, 4, 0, 0, 0, 5),
};

export const tokenizer = wordTokenizer(['[UNK]', 'north', 'east', 'up']);
