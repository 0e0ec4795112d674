import { aiSdkImporter } from './formats/ai-sdk.ts';
import { aiSdkStreamImporter } from './formats/ai-sdk-stream.ts';
import { anthropicImporter } from './formats/anthropic.ts';
import { apiTrafficImporter } from './formats/api-traffic.ts';
import { atifImporter } from './formats/atif.ts';
import { bedrockConverseImporter } from './formats/bedrock-converse.ts';
import { chatDatasetImporter } from './formats/chat-dataset.ts';
import { claudeCodeImporter } from './formats/claude-code.ts';
import { claudeManagedAgentsImporter } from './formats/claude-managed-agents.ts';
import { clineImporter } from './formats/cline.ts';
import { codexImporter } from './formats/codex.ts';
import { codexExecImporter } from './formats/codex-exec.ts';
import { geminiImporter } from './formats/gemini.ts';
import { geminiCliImporter } from './formats/gemini-cli.ts';
import { googleAdkImporter } from './formats/google-adk.ts';
import { inspectImporter } from './formats/inspect.ts';
import { kpImporter } from './formats/kp.ts';
import { langChainImporter } from './formats/langchain.ts';
import { langfuseImporter } from './formats/langfuse.ts';
import { langGraphStreamImporter } from './formats/langgraph-stream.ts';
import { langSmithImporter } from './formats/langsmith.ts';
import { liveMcpBenchImporter } from './formats/live-mcp-bench.ts';
import { magenticOneImporter } from './formats/magentic-one.ts';
import { mastraImporter } from './formats/mastra.ts';
import { medAgentBenchImporter } from './formats/medagentbench.ts';
import { miniSweAgentImporter } from './formats/mini-swe-agent.ts';
import { openaiAgentsImporter } from './formats/openai-agents.ts';
import { openaiChatImporter } from './formats/openai-chat.ts';
import { openaiResponsesImporter } from './formats/openai-responses.ts';
import { openCodeImporter } from './formats/opencode.ts';
import { openHandsImporter } from './formats/openhands.ts';
import { openInferenceImporter, otelGenAiImporter } from './formats/otel.ts';
import { piImporter } from './formats/pi.ts';
import { sweAgentImporter } from './formats/swe-agent.ts';
import { tau2Importer } from './formats/tau2.ts';
import type { Importer } from './importer.ts';

/** The formats that are known without further ado. To add one: `[...BUILT_IN_IMPORTERS, mine]`. */
export const BUILT_IN_IMPORTERS: readonly Importer[] = [
  kpImporter,
  openaiChatImporter,
  anthropicImporter,
  aiSdkImporter,
  langChainImporter,
  claudeCodeImporter,
  tau2Importer,
  miniSweAgentImporter,
  sweAgentImporter,
  atifImporter,
  inspectImporter,
  otelGenAiImporter,
  openInferenceImporter,
  openaiResponsesImporter,
  bedrockConverseImporter,
  geminiImporter,
  geminiCliImporter,
  googleAdkImporter,
  codexImporter,
  codexExecImporter,
  openaiAgentsImporter,
  openHandsImporter,
  aiSdkStreamImporter,
  mastraImporter,
  medAgentBenchImporter,
  magenticOneImporter,
  langfuseImporter,
  langSmithImporter,
  claudeManagedAgentsImporter,
  openCodeImporter,
  piImporter,
  clineImporter,
  langGraphStreamImporter,
  liveMcpBenchImporter,
  chatDatasetImporter,
  apiTrafficImporter,
];
