/** Creates a safetensors file with the given tensors. */
export function safetensorsFile(
  tensors: Record<string, { dtype: string; shape: number[]; data: ArrayBufferView }>,
): Uint8Array {
  const header: Record<string, unknown> = {};
  let length = 0;
  for (const [name, { dtype, shape, data }] of Object.entries(tensors)) {
    header[name] = { dtype, shape, data_offsets: [length, length + data.byteLength] };
    length += data.byteLength;
  }
  const text = new TextEncoder().encode(JSON.stringify(header));
  const file = new Uint8Array(8 + text.length + length);
  new DataView(file.buffer).setBigUint64(0, BigInt(text.length), true);
  file.set(text, 8);
  let offset = 8 + text.length;
  for (const { data } of Object.values(tensors)) {
    file.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), offset);
    offset += data.byteLength;
  }
  return file;
}

/** Creates a WordPiece tokenizer with the words in order; the first one is the unknown token. */
export function wordTokenizer(words: readonly string[]): object {
  return {
    version: '1.0',
    added_tokens: [],
    decoder: null,
    post_processor: null,
    normalizer: { type: 'BertNormalizer', lowercase: true },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    model: {
      type: 'WordPiece',
      unk_token: words[0],
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(words.map((word, id) => [word, id])),
    },
  };
}
