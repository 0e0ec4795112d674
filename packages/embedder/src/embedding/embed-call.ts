import {
  canHoldOptions,
  findUnknownOption,
  InvalidTypeError,
  InvalidValueError,
  type OptionNames,
} from '@kp/foundation';
import type { Embedder, Embedding } from './embedder.ts';
import { EmbeddingError } from './errors.ts';

/**
 * @param subject - what the options are called in errors.
 * @throws InvalidTypeError when options are not an object, InvalidValueError when one has another name
 *   than these.
 */
export function assertOptions(options: unknown, names: OptionNames, subject = 'options'): void {
  if (!canHoldOptions(options)) throw new InvalidTypeError(subject, 'an object', options);
  const unknown = findUnknownOption(options, names);
  if (unknown === undefined) return;
  throw new InvalidValueError(subject, unknown.expected, unknown.name, unknown.remedy);
}

/** @throws InvalidValueError when an option is not a number of at least `least`, or is NaN. */
export function assertAtLeast(name: string, value: unknown, least: number): void {
  if (typeof value === 'number' && value >= least) return;
  throw new InvalidValueError(name, `a number of at least ${least}`, value);
}

/**
 * Checks the argument of `embed`.
 *
 * @throws InvalidTypeError when it is not an array, or, naming the index, when an entry is not a
 *   string.
 */
export function assertTexts(texts: unknown): asserts texts is readonly string[] {
  if (!Array.isArray(texts)) throw new InvalidTypeError('texts', 'an array of strings', texts);
  for (let index = 0; index < texts.length; index++) {
    const text: unknown = texts[index];
    if (typeof text !== 'string') throw new InvalidTypeError(`texts[${index}]`, 'a string', text);
  }
}

/**
 * A copy of an embedding, which the embedder can no longer change.
 *
 * @param answer - any value; each field is read once.
 * @throws EmbeddingError unless it has a vector of the embedder's dimensions and finite values.
 */
export function copyEmbedding(
  { id, dimensions }: Pick<Embedder, 'id' | 'dimensions'>,
  answer: unknown,
): Embedding {
  const { vector, truncated, tokens, chunks } = Object(answer) as Partial<Embedding>;
  // Checks the tag, because the embedder may belong to another realm, such as that of a test
  // runner.
  const tag = Object.prototype.toString.call(vector);
  if (!ArrayBuffer.isView(vector) || tag !== '[object Float32Array]') {
    throw new EmbeddingError(id, 'a Float32Array as vector', tag);
  }
  const copy = new Float32Array(vector);
  if (copy.length !== dimensions) {
    throw new EmbeddingError(id, `${dimensions} dimensions`, `${copy.length}`);
  }
  const index = copy.findIndex((value) => !Number.isFinite(value));
  if (index >= 0) throw new EmbeddingError(id, 'finite values', `${copy[index]} at ${index}`);
  return { vector: copy, truncated: truncated === true, tokens, chunks };
}

/** The values scaled to length 1, as a new vector. All zeros stay zeros. */
export function unitVector(values: Float32Array | Float64Array): Float32Array {
  let sum = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    // Not `** 2`, for which V8 calls the power function.
    sum += value * value;
  }
  const vector = new Float32Array(values.length);
  if (sum === 0) return vector;
  const scale = 1 / Math.sqrt(sum);
  for (let i = 0; i < values.length; i++) vector[i] = values[i] * scale;
  return vector;
}
