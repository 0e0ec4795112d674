import { parseArgs } from 'node:util';
import {
  createLexicalEmbedder,
  createStaticEmbedder,
  createTransformersEmbedder,
  type Embedder,
} from '@kp/embedder';
import { benchNovelty } from './bench-novelty.ts';

const USAGE = `bench novelty DIR [options]
  --static FOLDER         also the static embedder, with the model2vec model in FOLDER
  --transformers MODEL    also the transformers embedder, with MODEL (Hub name)
  --models FOLDER         take MODEL from FOLDER instead of the network
  --dimensions N          length of MODEL's vectors (384)
  --max-tokens N          cut or chunk at N tokens (MODEL's own limit)
  --exclude PATTERN       leave out files whose path matches the regular expression
  --orders N              seeded orders to stream the runs in (10)
  --help                  this text`;

/**
 * `bench novelty`: measures embedders on the labelled recordings of a directory.
 *
 * @returns the exit code: 0, 1 when the measurement fails, or 2 when the arguments are wrong.
 */
export async function noveltyCommand(args: readonly string[]): Promise<number> {
  if (args.includes('--help')) {
    console.log(USAGE);
    return 0;
  }
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(args);
  } catch (error) {
    console.error(`${messageOf(error)}\n\n${USAGE}`);
    return 2;
  }
  const { directory, embedders, orders, exclude } = parsed;
  try {
    await benchNovelty(directory, { embedders, orders, ...(exclude && { exclude }) });
    return 0;
  } catch (error) {
    console.error(messageOf(error));
    return 1;
  } finally {
    for (const embedder of embedders) await embedder.close?.();
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function parse(args: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      static: { type: 'string' },
      transformers: { type: 'string' },
      models: { type: 'string' },
      dimensions: { type: 'string', default: '384' },
      'max-tokens': { type: 'string' },
      exclude: { type: 'string' },
      orders: { type: 'string', default: '10' },
    },
  });
  const [directory] = positionals;
  if (directory === undefined || positionals.length > 1) {
    throw new RangeError(`DIR: expected one directory, received ${positionals.length}`);
  }
  return {
    directory,
    orders: count('orders', values.orders),
    exclude: values.exclude === undefined ? undefined : new RegExp(values.exclude),
    embedders: [
      createLexicalEmbedder(),
      ...staticEmbedders(values.static),
      ...transformersEmbedders(values.transformers, {
        dimensions: count('dimensions', values.dimensions),
        ...(values.models !== undefined && { localModelPath: values.models }),
        ...(values['max-tokens'] !== undefined && {
          maxTokens: count('max-tokens', values['max-tokens']),
        }),
      }),
    ],
  };
}

function staticEmbedders(path: string | undefined): Embedder[] {
  if (path === undefined) return [];
  const cache = false;
  return [
    createStaticEmbedder({ path, cache }),
    createStaticEmbedder({ path, cache, maxTokens: 512 }),
    createStaticEmbedder({ path, cache, pooling: 'start' }),
  ];
}

function transformersEmbedders(
  model: string | undefined,
  options: Parameters<typeof createTransformersEmbedder>[0],
): Embedder[] {
  if (model === undefined) return [];
  const common = { ...options, model, cache: false } as const;
  return [
    createTransformersEmbedder(common),
    createTransformersEmbedder({ ...common, longText: 'chunk' }),
  ];
}

function count(name: string, text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1) return value;
  throw new RangeError(`--${name}: expected an integer of at least 1, received ${text}`);
}
