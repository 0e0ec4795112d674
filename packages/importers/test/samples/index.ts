import { aiSdkStream, claudeManagedAgents, mastra, openCode, openHands, pi } from './agents.ts';
import { cline } from './cline.ts';
import { codex, codexExec, openaiAgents, openaiResponses } from './openai.ts';
import { benchmarks, langfuse, langGraphStream, langSmith } from './platforms.ts';
import { apiTraffic, bedrock, gemini, geminiCli, googleAdk } from './providers.ts';

/** A small recording of one run, written by hand, and what has to come of it. */
export interface FormatSample {
  readonly format: string;
  readonly name: string;
  readonly text: string;
  readonly objective: string;
  /** Worked out by hand; see `sketch`. */
  readonly steps: readonly string[];
  /** What it says beside them; see `factsOf`. */
  readonly facts: readonly string[];
}

/** At least one of every format that has no test of its own. */
export const SAMPLES: readonly FormatSample[] = [
  ...openaiResponses,
  ...openaiAgents,
  ...codex,
  ...codexExec,
  ...bedrock,
  ...gemini,
  ...geminiCli,
  ...googleAdk,
  ...apiTraffic,
  ...openHands,
  ...aiSdkStream,
  ...mastra,
  ...claudeManagedAgents,
  ...openCode,
  ...pi,
  ...cline,
  ...langfuse,
  ...langSmith,
  ...langGraphStream,
  ...benchmarks,
];
