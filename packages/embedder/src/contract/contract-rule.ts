import { KnowledgePulseError } from '@kp/foundation';
import type { Embedder } from '../embedding/embedder.ts';

/** Creates the embedder under test. */
export type MakeEmbedder = () => Embedder | Promise<Embedder>;

/** One rule of the contract. */
export interface ContractRule {
  /** The rule, as the title of a test. */
  readonly title: string;
  /**
   * @param makeEmbedder - creates a new embedder at each call.
   * @throws EmbedderContractError when the embedder breaks the rule.
   */
  check(makeEmbedder: MakeEmbedder): Promise<void>;
}

/** An embedder breaks the rule of the contract in `subject`. */
export class EmbedderContractError extends KnowledgePulseError<'EMBEDDER_CONTRACT_BROKEN'> {
  constructor(subject: string, expected: string, received: string) {
    const [name, code] = ['EmbedderContractError', 'EMBEDDER_CONTRACT_BROKEN'] as const;
    super({ name, code, subject, expected, received });
  }
}

/** @throws EmbedderContractError unless the rule is kept. */
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
