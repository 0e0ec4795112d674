import { modelsNeed } from '@kp/testing/needs';
import { createLexicalEmbedder, createTransformersEmbedder } from '../src/index.ts';
import {
  importTransformers,
  type TransformersModel,
} from '../src/transformers/transformers-library.ts';
import { MINILM_GRAPH } from './models.ts';

/**
 * Speed of the embedders: the lexical one in text a second, the transformers one as a ratio to a bare
 * run of the same session on as many tokens, taken in turns within one process.
 */
await lexicalSpeed();
if (modelsNeed.isMet) await transformersOverhead();

async function lexicalSpeed(): Promise<void> {
  const embedder = createLexicalEmbedder();
  const texts = Array.from({ length: 40 }, (_, seed) => sampleText(50_000, seed));
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  const times: number[] = [];
  for (let i = 0; i < 15; i++) {
    const start = performance.now();
    await embedder.embed(texts);
    times.push(performance.now() - start);
  }
  const perSecond = (time: number): string => (length / 1e6 / (time / 1_000)).toFixed(0);
  console.log(
    `lexical: ${perSecond(median(times))} MB of text a second in the median, ${perSecond(Math.min(...times))} at best`,
  );
}

async function transformersOverhead(): Promise<void> {
  const library = await importTransformers();
  let model: TransformersModel | undefined;
  const embedder = createTransformersEmbedder({
    ...MINILM_GRAPH,
    cache: false,
    transformers: {
      ...library,
      AutoModel: {
        from_pretrained: async (path, options) => {
          model = await library.AutoModel.from_pretrained(path, options);
          return model;
        },
      },
    },
  });
  const text = Array(48).fill('word').join(' ');
  const [embedding] = await embedder.embed([text]);
  const run = bareRun(model, library.Tensor, embedding?.tokens ?? 0);
  const bare: number[] = [];
  const whole: number[] = [];
  for (let i = 0; i < 400; i++) {
    // Whichever comes second finds the caches as the other left them: in turns.
    const embed = async (): Promise<void> => {
      whole.push(await timeOf(() => embedder.embed([text])));
    };
    if (i % 2 === 0) await embed();
    bare.push(await timeOf(run));
    if (i % 2 === 1) await embed();
  }
  const report = (name: string, take: (values: readonly number[]) => number): void => {
    const [a, b] = [take(bare.slice(50)), take(whole.slice(50))];
    console.log(
      `transformers, ${embedding?.tokens} tokens, ${name}: ${b.toFixed(2)} ms, bare session ${a.toFixed(2)} ms, ratio ${(b / a).toFixed(3)}`,
    );
  };
  report('median', median);
  report('best', (values) => Math.min(...values));
  await embedder.close();
}

interface OrtSession {
  run(inputs: Record<string, unknown>): Promise<unknown>;
}

/** A run of the session below transformers.js, on tensors made beforehand. */
function bareRun(
  model: TransformersModel | undefined,
  Tensor: Awaited<ReturnType<typeof importTransformers>>['Tensor'],
  tokens: number,
): () => Promise<unknown> {
  const { sessions } = model as unknown as { sessions: { model: OrtSession } };
  const tensor = (value: bigint): unknown => {
    const made = new Tensor('int64', new BigInt64Array(tokens).fill(value), [1, tokens]);
    return Reflect.get(made, 'ort_tensor');
  };
  const inputs = {
    input_ids: tensor(2_773n),
    attention_mask: tensor(1n),
    token_type_ids: tensor(0n),
  };
  return () => sessions.model.run(inputs);
}

/** Words of a Zipf-like vocabulary, the same each time. */
function sampleText(length: number, seed: number): string {
  let state = seed;
  const words: string[] = [];
  for (let size = 0; size < length; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const rank = Math.floor(20_000 ** (state / 2 ** 32));
    const word = `${rank % 7 === 0 ? 'Word' : 'step'}${rank.toString(36)}`;
    words.push(word);
    size += word.length + 1;
  }
  return words.join(' ');
}

async function timeOf(action: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await action();
  return performance.now() - start;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
