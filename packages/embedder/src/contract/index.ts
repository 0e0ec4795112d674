export { type ContractRule, EmbedderContractError, type MakeEmbedder } from './contract-rule.ts';
export { checkEmbedderContract, embedderContract } from './embedder-contract.ts';
