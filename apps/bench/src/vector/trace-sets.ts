import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { createLexicalEmbedder, createStaticEmbedder, type Embedder } from '@kp/embedder';
import type { VectorSet } from './contender.ts';
import { unit, withQueries } from './vector-sets.ts';

/** Sets made of the embeddings of recorded texts by one embedder. */
export interface TraceSets {
  readonly name: string;
  readonly sets: readonly VectorSet[];
}

// Embedding more takes longer than everything measured on it.
const MOST_TEXTS = 10_000;
const SHORTEST_TEXT = 40;
const LONGEST_TEXT = 1000;
const STATIC_MODEL = ['models', 'MinishLab', 'potion-base-4m-int8-model2vec'];

/**
 * Embeds texts of the recordings under `sharedFolder`.
 *
 * @returns nothing for a `count` the recordings have not enough different texts for.
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
    // Spread the queries over the recordings, so that they are like what is kept.
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

/** The first `count` different texts of the recordings, files in the order of their names. */
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
