export { EmbedderContractError } from './contract-error.ts';
export {
  type ContractRule,
  checkEmbedderContract,
  embedderContract,
  type MakeEmbedder,
} from './embedder-contract.ts';
