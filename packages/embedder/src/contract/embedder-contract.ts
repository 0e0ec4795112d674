import type { Embedder } from '../embedder.ts';
import { callRules } from './call-rules.ts';
import { lifeRules } from './life-rules.ts';
import { vectorRules } from './vector-rules.ts';

/** Makes the embedder under test, a new one each time. */
export type MakeEmbedder = () => Embedder | Promise<Embedder>;

/** One rule that every embedder keeps. */
export interface ContractRule {
  /** The rule in words, for the title of a test. */
  readonly title: string;
  /** @throws EmbedderContractError when the embedder breaks the rule. */
  check(makeEmbedder: MakeEmbedder): Promise<void>;
}

/**
 * The rules that every embedder keeps, ours and a user's own, for any test runner:
 *
 * `for (const { title, check } of embedderContract) test(title, () => check(makeEmbedder));`
 */
export const embedderContract: readonly ContractRule[] = [
  ...vectorRules,
  ...callRules,
  ...lifeRules,
];

/**
 * Checks every rule, one after the other.
 *
 * @throws EmbedderContractError at the first rule that is broken.
 */
export async function checkEmbedderContract(makeEmbedder: MakeEmbedder): Promise<void> {
  for (const { check } of embedderContract) await check(makeEmbedder);
}
