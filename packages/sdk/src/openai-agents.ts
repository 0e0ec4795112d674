export {
  type AgentsProcessorOptions,
  type AgentsTracingProcessor,
  createTracingProcessor,
  fromOpenAiAgents,
} from '@kp/integrations/openai-agents';
