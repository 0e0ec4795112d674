export {
  type ClaudeAgentFacts,
  type ClaudeAgentScorer,
  createClaudeAgentScorer,
  fromClaudeAgent,
} from '@kp/integrations/claude-agent';
