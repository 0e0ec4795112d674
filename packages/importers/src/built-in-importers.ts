import { aiSdkImporter } from './formats/ai-sdk.ts';
import { anthropicImporter } from './formats/anthropic.ts';
import { atifImporter } from './formats/atif.ts';
import { claudeCodeImporter } from './formats/claude-code.ts';
import { inspectImporter } from './formats/inspect.ts';
import { kpImporter } from './formats/kp.ts';
import { langChainImporter } from './formats/langchain.ts';
import { miniSweAgentImporter } from './formats/mini-swe-agent.ts';
import { openaiChatImporter } from './formats/openai-chat.ts';
import { openInferenceImporter, otelGenAiImporter } from './formats/otel.ts';
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
];
