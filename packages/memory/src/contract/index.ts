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
 * Checks the rules of a contract, one after the other. With a test runner:
 *
 * `for (const { title, check } of memoryContract) test(title, () => check(makeMemory));`
 *
 * @param rules - those to check; all when left out.
 * @param makeMemory - makes the memory under test.
 * @throws {@link MemoryContractError} at the first rule that is broken.
 */
export async function checkMemoryContract(
  rules: readonly ContractRule[],
  makeMemory: MakeMemory,
): Promise<void> {
  for (const { check } of rules) await check(makeMemory);
}
