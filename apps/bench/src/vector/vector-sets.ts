import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { createLexicalEmbedder, createStaticEmbedder, type Embedder } from '@kp/embedder';
import { createNormal } from '../inputs/random.ts';
import type { VectorSet } from './contenders.ts';

/** Distribution of the vectors of a set. */
export type SetKind = 'random' | 'clustered' | 'anisotropic' | 'alike';
/** Kind of the queries: unlike all stored vectors, or with a cosine of 0.99 to one of them. */
export type QueryKind = 'fresh' | 'near-duplicate';

const DIMENSIONS = 384;
const CLUSTERS = 50;
// Difference of two vectors with a cosine of about 0.99, as a share of their length.
const NEAR = 0.14;

/** Creates a seeded set of generated vectors. */
export function createSet(kind: SetKind, count: number, queryCount: number): VectorSet[] {
  const random = createNormal(count);
  const centres = Array.from({ length: CLUSTERS }, () => sample(random, () => 1));
  const make: Record<SetKind, (index: number) => Float32Array> = {
    random: () => sample(random, () => 1),
    clustered: (index) =>
      add(
        centres[index % CLUSTERS] as Float32Array,
        sample(random, () => 0.5),
      ),
    alike: () =>
      add(
        centres[0] as Float32Array,
        sample(random, () => 0.05),
      ),
    anisotropic: () => sample(random, (index) => Math.exp(-index / 40)),
  };
  const vectors = new Float32Array(count * DIMENSIONS);
  for (let row = 0; row < count; row++) vectors.set(unit(make[kind](row)), row * DIMENSIONS);
  const fresh = Array.from({ length: queryCount }, (_, index) => unit(make[kind](index)));
  return withQueries(vectors, DIMENSIONS, fresh);
}

/** Returns the set twice: with the given queries, and with near-duplicates of its vectors. */
function withQueries(
  vectors: Float32Array,
  dimensions: number,
  fresh: Float32Array[],
): VectorSet[] {
  const count = vectors.length / dimensions;
  const random = createNormal(count + 1);
  const near = fresh.map((_, index) => {
    const row = Math.floor((index * count) / fresh.length);
    const original = vectors.subarray(row * dimensions, (row + 1) * dimensions);
    const spread = NEAR / Math.sqrt(dimensions);
    return unit(original.map((value) => value + spread * random()));
  });
  return [fresh, near].map((queries) => ({ dimensions, count, vectors, queries }));
}

/** Returns the vector scaled to length 1; zeros stay zeros. */
function unit(vector: Float32Array): Float32Array {
  const norm = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return norm === 0 ? vector : vector.map((value) => value / norm);
}

function sample(random: () => number, spread: (index: number) => number): Float32Array {
  return Float32Array.from({ length: DIMENSIONS }, (_, index) => random() * spread(index));
}

function add(a: Float32Array, b: Float32Array): Float32Array {
  return a.map((value, index) => value + (b[index] as number));
}

/** Sets of embeddings of recorded texts by one embedder. */
export interface TraceSets {
  readonly name: string;
  readonly sets: readonly VectorSet[];
}

// Embedding more texts would take longer than all measurements on them.
const MOST_TEXTS = 10_000;
const SHORTEST_TEXT = 40;
const LONGEST_TEXT = 1000;
const STATIC_MODEL = ['models', 'MinishLab', 'potion-base-4m-int8-model2vec'];

/**
 * Embeds texts of the recordings under `sharedFolder`.
 *
 * @returns no set for a `count` greater than the number of different texts.
 */
export async function createTraceSets(
  sharedFolder: string,
  count: number,
  queryCount: number,
): Promise<TraceSets[]> {
  if (count > MOST_TEXTS) return [];
  const texts = readTexts(join(sharedFolder, 'traces'), count + queryCount);
  if (texts.length < count + queryCount) return [];
  const sets: TraceSets[] = [];
  for (const [name, create] of Object.entries(embedders(sharedFolder))) {
    const embedder = create();
    const { dimensions } = embedder;
    const vectors = new Float32Array(count * dimensions);
    const fresh: Float32Array[] = [];
    // Spread the queries over the recordings, so that they resemble the stored vectors.
    const step = Math.floor(texts.length / queryCount);
    let row = 0;
    for (const [index, { vector }] of (await embedder.embed(texts)).entries()) {
      if (index % step === 0 && fresh.length < queryCount) fresh.push(unit(vector));
      else if (row < count) vectors.set(unit(vector), dimensions * row++);
    }
    await embedder.close?.();
    sets.push({ name, sets: withQueries(vectors, dimensions, fresh) });
  }
  return sets;
}

function embedders(sharedFolder: string): Record<string, () => Embedder> {
  const path = join(sharedFolder, ...STATIC_MODEL);
  return {
    'traces, lexical embedder': () => createLexicalEmbedder(),
    'traces, small static model': () => createStaticEmbedder({ path }),
  };
}

/** Returns the first `count` different texts of the recordings, with the files in name order. */
function readTexts(folder: string, count: number): string[] {
  const texts = new Set<string>();
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.jsonl?(\.gz)?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const file of files) {
    const bytes = readFileSync(file);
    const content = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
    const isLines = file.includes('.jsonl');
    for (const part of isLines ? content.split('\n').filter(Boolean) : [content]) {
      collect(JSON.parse(part), texts);
      if (texts.size >= count) return [...texts].slice(0, count);
    }
  }
  return [...texts];
}

function collect(value: unknown, texts: Set<string>): void {
  if (typeof value === 'string') {
    if (value.length >= SHORTEST_TEXT) texts.add(value.slice(0, LONGEST_TEXT));
  } else if (typeof value === 'object' && value !== null) {
    for (const each of Object.values(value)) collect(each, texts);
  }
}
