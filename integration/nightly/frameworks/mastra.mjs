import { createMastraScorer } from '@kp/integrations/mastra';
import { createScorer } from '@kp/scoring';
import { Agent } from '@mastra/core/agent';
import { createScorer as createMastra } from '@mastra/core/evals';
import { MockLanguageModelV2 } from 'ai/test';

const model = new MockLanguageModelV2({
  doGenerate: async () => ({
    content: [{ type: 'text', text: 'At noon.' }],
    finishReason: 'stop',
    usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
    warnings: [],
  }),
});
const agent = new Agent({ id: 'guide', name: 'guide', instructions: 'Help.', model });
const scorer = createMastraScorer(createMastra, { scorer: createScorer({ embedder: null }) });
const result = await agent.generate('When does the ferry leave?', { returnScorerData: true });
const { score, reason } = await scorer.run(result.scoringData);
console.log(JSON.stringify({ score, reason }));
