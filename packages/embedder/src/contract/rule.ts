import type { Embedder, Embedding } from '../embedder.ts';
import { EmbedderContractError } from './contract-error.ts';
import type { ContractRule } from './embedder-contract.ts';

/** Texts of several scripts and lengths that an embedder must take. */
export const TEXTS: readonly string[] = [
  'The flight to Boston was cancelled.',
  'x',
  'Corregir el analizador: función vacía',
  '航班延误了三个小时',
  '予約をキャンセルしたい',
  '항공편을 취소하고 싶어요',
  'const parse = (line) => line.split(",");\n\treturn parse; // 42',
  'word '.repeat(700),
];

/** Reports what was received instead of what was expected. */
export type Expect = (isKept: boolean, expected: string, received: unknown) => void;

/** A rule that is checked on one embedder, which is closed afterwards. */
export function rule(
  title: string,
  check: (embedder: Embedder, expect: Expect) => Promise<void>,
): ContractRule {
  const expect: Expect = (isKept, expected, received) => {
    if (!isKept) throw new EmbedderContractError(title, expected, String(received));
  };
  return {
    title,
    check: async (makeEmbedder) => {
      const embedder = await makeEmbedder();
      try {
        await check(embedder, expect);
      } finally {
        await embedder.close?.();
      }
    },
  };
}

/** The embedding of one text. */
export async function embedOne(embedder: Embedder, text: string): Promise<Embedding> {
  const [embedding] = await embedder.embed([text]);
  if (embedding === undefined) {
    throw new EmbedderContractError('embed', 'an embedding a text', 'none for one text');
  }
  return embedding;
}

/** Largest difference of a component; infinite when the lengths differ. */
export function difference(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) return Number.POSITIVE_INFINITY;
  return a.reduce((most, value, i) => Math.max(most, Math.abs(value - (b[i] as number))), 0);
}
