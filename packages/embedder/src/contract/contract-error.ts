/** An embedder breaks a rule of the contract. */
export class EmbedderContractError extends Error {
  readonly code = 'EMBEDDER_CONTRACT_BROKEN';
  /** The rule. */
  readonly rule: string;
  readonly expected: string;
  readonly received: string;

  constructor(rule: string, expected: string, received: string) {
    super(`${rule}: expected ${expected}, received ${received}`);
    this.name = 'EmbedderContractError';
    this.rule = rule;
    this.expected = expected;
    this.received = received;
  }
}
