export {
  createLangChainHandler,
  fromLangChain,
  type LangChainEnd,
  type LangChainHandler,
  type LangChainHandlerOptions,
  type LangChainStart,
} from '@kp/integrations/langchain';
