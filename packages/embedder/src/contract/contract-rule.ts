import { KnowledgePulseError } from '@kp/foundation';
import type { Embedder } from '../embedder.ts';

/** Makes the embedder under test, a new one each time. */
export type MakeEmbedder = () => Embedder | Promise<Embedder>;

/** One rule that every embedder keeps. */
export interface ContractRule {
  /** The rule in words, for the title of a test. */
  readonly title: string;
  /**
   * @param makeEmbedder - makes a new one at each call.
   * @throws EmbedderContractError when the embedder breaks the rule.
   */
  check(makeEmbedder: MakeEmbedder): Promise<void>;
}

/** An embedder breaks a rule of the contract, which is the `subject`. */
export class EmbedderContractError extends KnowledgePulseError<'EMBEDDER_CONTRACT_BROKEN'> {
  constructor(subject: string, expected: string, received: string) {
    const [name, code] = ['EmbedderContractError', 'EMBEDDER_CONTRACT_BROKEN'] as const;
    super({ name, code, subject, expected, received });
  }
}

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
