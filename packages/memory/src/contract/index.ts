import type { ContractRule, MakeMemory } from './rule.ts';

export { basicMemoryContract } from './basic-rules.ts';
export { memoryContract } from './durable-rules.ts';
export {
  type ContractRule,
  type MakeMemory,
  MemoryContractError,
  type WantedMemory,
} from './rule.ts';
export { sharedMemoryContract } from './shared-rules.ts';

/**
 * Checks the rules of a contract in order. With a test runner:
 *
 * `for (const { title, check } of memoryContract) test(title, () => check(makeMemory));`
 *
 * @param rules - rules to check; default: all.
 * @param makeMemory - makes the memory under test.
 * @throws {@link MemoryContractError} if the memory breaks a rule; only the first one is reported.
 */
export async function checkMemoryContract(
  rules: readonly ContractRule[],
  makeMemory: MakeMemory,
): Promise<void> {
  for (const { check } of rules) await check(makeMemory);
}
