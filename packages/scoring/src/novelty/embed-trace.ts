import type { Embedder, Embedding } from '@kp/embedder';
import { assertFields, assertType, describeValue, messageOf } from '@kp/foundation';
import type { ReasoningTrace, ReasoningTraceStep } from '@kp/schema';
import { EmbeddingError } from './errors.ts';
import type { LazySignal } from './lazy-signal.ts';

/** The text of a trace to embed, and the start of each part. */
export interface EmbeddedText {
  readonly text: string;
  /** Ascending indices into the text: where the content of each step with content begins. */
  readonly boundaries: readonly number[];
  /** The error if the embedder returned no text. */
  readonly failure?: Error;
}

/** An embedding whose fields were each read once, copied and checked. */
export interface TraceEmbedding {
  /** Of length 1, or all zeros. */
  readonly vector: Float32Array;
  /** Whether the vector is all zeros, because the text has no words to compare. */
  readonly empty: boolean;
  /** Whether the embedder left out a part of the text. */
  readonly truncated: boolean;
  /** Number of tokens of the text, if the embedder counts them. */
  readonly tokens: number | undefined;
  /** Number of parts that were embedded separately, if the embedder divides texts. */
  readonly chunks: number | undefined;
}

/**
 * The text of a trace to embed: the objective, then the `content` of every step that has one, joined
 * by one space.
 *
 * @param trace - a valid trace.
 */
export function traceText(trace: ReasoningTrace): string {
  assertFields('trace', trace, { task: 'an object', steps: 'an array' });
  return embeddedText(trace.task.objective, trace.steps, trace.steps.length).text;
}

/** @param count - the number of steps to read: `steps.length` may change while they are read. */
export function embeddedText(
  objective: string,
  steps: readonly ReasoningTraceStep[],
  count: number,
): EmbeddedText {
  let text = objective;
  const boundaries: number[] = [];
  for (let index = 0; index < count; index++) {
    const { content } = Object(steps[index]) as ReasoningTraceStep;
    if (typeof content !== 'string' || content === '') continue;
    boundaries.push(text.length + 1);
    text += ` ${content}`;
  }
  return { text, boundaries };
}

/**
 * Returns the text that an embedder uses for a trace: `textOf` of the embedder, or {@link
 * traceText}.
 *
 * @param embedder - the embedder that will embed the text.
 * @param trace - a valid trace.
 * @throws {@link EmbeddingError} if the embedder returns another value than a string.
 */
export function embedderText(embedder: Embedder, trace: ReasoningTrace): string {
  assertType('embedder', 'an object', embedder);
  return chosenText(embedder, trace) ?? traceText(trace);
}

/** Returns the result of an embedder's `textOf`; undefined if it has no such function. */
function chosenText(
  embedder: Embedder,
  trace: Parameters<NonNullable<Embedder['textOf']>>[0],
): string | undefined {
  if (embedder.textOf === undefined) return undefined;
  const text: unknown = embedder.textOf(trace);
  if (typeof text === 'string') return text;
  throw new EmbeddingError(embedder.id, 'a string from textOf()', describeValue(text));
}

/**
 * Like {@link embedderText}, for steps that may change; keeps an error of the embedder for its
 * report.
 */
export function readEmbedderText(
  embedder: Embedder,
  objective: string,
  steps: readonly ReasoningTraceStep[],
  count: number,
): EmbeddedText {
  if (embedder.textOf === undefined) return embeddedText(objective, steps, count);
  try {
    const trace = { task: { objective }, steps: steps.slice(0, count) };
    return { text: chosenText(embedder, trace) ?? '', boundaries: [] };
  } catch (cause) {
    const failure = cause instanceof Error ? cause : new Error(messageOf(cause), { cause });
    return { text: '', boundaries: [], failure };
  }
}

/**
 * Embeds the text of one trace. Rejects with the embedder's error, or with {@link EmbeddingError} if
 * it does not return an embedding.
 */
export async function embedTrace(
  embedder: Embedder,
  { text, boundaries, failure }: EmbeddedText,
  lazySignal: LazySignal,
): Promise<TraceEmbedding> {
  if (failure !== undefined) throw failure;
  const options = {
    boundaries: [boundaries],
    get signal(): AbortSignal {
      return lazySignal.signal;
    },
  };
  return checkEmbedding(embedder, await embedder.embed([text], options));
}

function checkEmbedding(embedder: Embedder, answer: readonly Embedding[]): TraceEmbedding {
  const embedding: unknown = Array.isArray(answer) && answer.length === 1 ? answer[0] : undefined;
  const { vector, truncated, tokens, chunks } = Object(embedding) as Partial<Embedding>;
  if (!isFloat32Array(vector)) {
    const expected = '1 embedding with a Float32Array as vector';
    throw new EmbeddingError(embedder.id, expected, describeAnswer(answer, vector));
  }
  // A copy, because the trace may wait for earlier ones, and the embedder may write its next vector
  // into the same buffer meanwhile. It is also of this realm, which memories may require.
  const own = new Float32Array(vector);
  if (own.length !== embedder.dimensions) {
    throw new EmbeddingError(embedder.id, `${embedder.dimensions} dimensions`, `${own.length}`);
  }
  return {
    vector: own,
    empty: squareOf(own, embedder.id) === 0,
    truncated: truncated === true,
    tokens: typeof tokens === 'number' ? tokens : undefined,
    chunks: typeof chunks === 'number' ? chunks : undefined,
  };
}

function describeAnswer(answer: unknown, vector: unknown): string {
  if (!Array.isArray(answer)) return describeValue(answer);
  return answer.length === 1 ? `${describeValue(vector)} as vector` : `${answer.length} entries`;
}

/**
 * Accepts vectors of another realm: test runners and frames have their own `Float32Array` class.
 */
function isFloat32Array(value: unknown): value is Float32Array {
  if (value instanceof Float32Array) return true;
  return ArrayBuffer.isView(value) && Reflect.get(value, Symbol.toStringTag) === 'Float32Array';
}

/** Returns the squared length of a vector of finite values. */
function squareOf(vector: Float32Array, embedderId: string): number {
  let square = 0;
  for (let index = 0; index < vector.length; index++) {
    const value = vector[index] as number;
    square += value * value;
  }
  if (Number.isFinite(square)) return square;
  const index = vector.findIndex((value) => !Number.isFinite(value));
  throw new EmbeddingError(embedderId, 'finite values', `${vector[index]} at ${index}`);
}
