export {
  createLangChainHandler,
  fromLangChain,
  type LangChainHandler,
  type LangChainHandlerOptions,
} from '@kp/integrations/langchain';
